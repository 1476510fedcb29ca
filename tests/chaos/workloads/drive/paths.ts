export const deployments = '/apis/apps/v1/namespaces/default/deployments'
export const statefulSets = '/apis/apps/v1/namespaces/default/statefulsets'
export const jobs = '/apis/batch/v1/namespaces/default/jobs'
export const pods = '/api/v1/namespaces/default/pods'
export const nodes = '/api/v1/nodes'

/** The watched collections. */
export const collections = [
  deployments,
  '/apis/apps/v1/namespaces/default/replicasets',
  statefulSets,
  jobs,
  pods,
] as const

export const mergePatch = 'application/merge-patch+json'
