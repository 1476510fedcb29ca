import { unknownResource } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Engine, ResourceContext } from '../../../registry/context.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import type { ReviewContext } from '../contract.ts'

export interface PodParts {
  readonly engine: Engine
}

/** The answer after an action on a pod that returns no object. */
export const createdStatus: KubeObject = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
}

export function podsOf(engine: Engine): ResourceContext {
  const pods = engine.find('', 'Pod')
  if (pods === undefined) throw unknownResource()
  return pods
}

/** The write that an action on a pod results in. The caller is authorized, and webhooks have been called. */
export function requestOf({ user, dryRun, signal, warn, annotate }: ReviewContext, subresource: string): WriteRequest {
  return {
    user,
    subresource,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Ignore',
    dryRun,
    signal,
    isAdmitted: true,
    warn,
    annotate,
    authorize: () => ({ verdict: 'allow', reason: '' }),
  }
}
