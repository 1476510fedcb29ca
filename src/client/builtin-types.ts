import type { ResourceType } from './contract.ts'

const core = { group: '', version: 'v1', namespaced: true, hasStatus: false }
const coreWithStatus = { ...core, hasStatus: true }
const review = { group: 'authorization.k8s.io', version: 'v1', namespaced: false, hasStatus: false }

export const configMapType: ResourceType = { ...core, resource: 'configmaps', kind: 'ConfigMap' }
export const endpointsType: ResourceType = { ...core, resource: 'endpoints', kind: 'Endpoints' }
export const eventType: ResourceType = { ...core, resource: 'events', kind: 'Event' }
export const secretType: ResourceType = { ...core, resource: 'secrets', kind: 'Secret' }
export const serviceAccountType: ResourceType = { ...core, resource: 'serviceaccounts', kind: 'ServiceAccount' }
export const podType: ResourceType = { ...coreWithStatus, resource: 'pods', kind: 'Pod' }
export const resourceQuotaType: ResourceType = { ...coreWithStatus, resource: 'resourcequotas', kind: 'ResourceQuota' }
export const serviceType: ResourceType = { ...coreWithStatus, resource: 'services', kind: 'Service' }
export const namespaceType: ResourceType = {
  ...coreWithStatus,
  namespaced: false,
  resource: 'namespaces',
  kind: 'Namespace',
}
export const nodeType: ResourceType = { ...coreWithStatus, namespaced: false, resource: 'nodes', kind: 'Node' }

export const endpointSliceType: ResourceType = {
  ...core,
  group: 'discovery.k8s.io',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
}
export const leaseType: ResourceType = { ...core, group: 'coordination.k8s.io', resource: 'leases', kind: 'Lease' }
export const clusterRoleBindingType: ResourceType = {
  ...core,
  group: 'rbac.authorization.k8s.io',
  namespaced: false,
  resource: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
}

export const subjectAccessReviewType: ResourceType = {
  ...review,
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
}
export const selfSubjectAccessReviewType: ResourceType = {
  ...review,
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
}
