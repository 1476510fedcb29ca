import type { ResourceKind } from './requests.ts'

export const userKind: ResourceKind = { kind: 'User', plural: 'users' }
export const teamKind: ResourceKind = { kind: 'Team', plural: 'teams' }
export const projectKind: ResourceKind = { kind: 'Project', plural: 'projects' }
export const clusterKind: ResourceKind = { kind: 'Cluster', plural: 'clusters' }
export const virtualClusterKind: ResourceKind = { kind: 'VirtualClusterInstance', plural: 'virtualclusterinstances' }
