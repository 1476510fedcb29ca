import { isJsonObject } from '../../base/json/member.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'

const accessReviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
  hasStatus: false,
}

/** Asked first: what a tenant has no right to is out of its reach, and trying would look like an attack. */
export async function mayList(
  host: KubeClient,
  { group, resource }: ResourceType,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const resourceAttributes = { verb: 'list', group, resource, ...(namespace !== undefined && { namespace }) }
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes },
  }
  const { status } = await host.create(accessReviews, review, signal)
  return isJsonObject(status) && status.allowed === true
}
