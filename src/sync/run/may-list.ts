import { isJsonObject } from '../../base/json/member.ts'
import { selfSubjectAccessReviewType } from '../../client/builtin-types.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'

export interface AskedRight {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  /** Absent: all namespaces, or for cluster-scoped objects. */
  readonly namespace?: string
}

/** Asks for the right first: attempts without it would look like an attack. */
export async function mayDo(
  client: KubeClient,
  resourceAttributes: AskedRight,
  signal?: AbortSignal,
): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes },
  }
  const { status } = await client.create(selfSubjectAccessReviewType, review, signal)
  return isJsonObject(status) && status.allowed === true
}

export function mayList(
  client: KubeClient,
  { group, resource }: ResourceType,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return mayDo(client, { verb: 'list', group, resource, ...(namespace !== undefined && { namespace }) }, signal)
}
