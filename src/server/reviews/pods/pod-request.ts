import { unknownResource } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Engine, ResourceContext } from '../../../registry/context.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import type { ReviewContext } from '../contract.ts'

export interface PodParts {
  readonly engine: Engine
}

/** What is answered when something has been done to a pod and there is nothing to show. */
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

/** The write that a request below a pod amounts to. The caller may make it, and webhooks have been asked about it. */
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
