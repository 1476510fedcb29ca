import type { ResourceKind } from './requests.ts'

export const userKind: ResourceKind = { kind: 'User', plural: 'users', noun: 'user' }
export const teamKind: ResourceKind = { kind: 'Team', plural: 'teams', noun: 'team' }
export const projectKind: ResourceKind = { kind: 'Project', plural: 'projects', noun: 'project' }
export const clusterKind: ResourceKind = { kind: 'Cluster', plural: 'clusters', noun: 'cluster' }
export const virtualClusterKind: ResourceKind = {
  kind: 'VirtualClusterInstance',
  plural: 'virtualclusterinstances',
  noun: 'virtual cluster',
}
