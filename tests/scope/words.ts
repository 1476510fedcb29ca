import { managementGroup } from './model.ts'

/** Few words, so that entries and requests often match, and often differ in one. */
export const projects = ['a', 'b'] as const
export const virtualClusters = ['v', 'w'] as const
export const spaces = ['s', 't'] as const
export const clusters = ['c', 'd'] as const
export const namespaces = ['p-a', 'p-b', 'default', 'p-', 'p-*', ''] as const
export const groups = [managementGroup, '', 'apps'] as const
export const managementResources = [
  'virtualclusterinstances',
  'spaceinstances',
  'projects',
  'clusters',
  'users',
  'teams',
  'ownedaccesskeys',
  'features',
  'selves',
  'connectionkeys',
] as const
export const otherResources = [
  'pods',
  'secrets',
  'nodes',
  'namespaces',
  'widgets',
  'virtualclusterinstances',
  'serviceaccounts',
] as const
export const subresources = [
  '',
  'status',
  'log',
  'scale',
  'link',
  'register',
  'accesskey',
  'accesskeys',
  'token',
] as const
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'use'] as const
export const paths = [
  '/metrics',
  '/version',
  '/healthz',
  '/healthz/etcd',
  '/',
  '/logs',
  '/logs/x',
  '/logs/../metrics',
] as const
export const roleNames = ['tenant', 'agent', 'platformCLI', 'platform-cli', 'metrics-reader'] as const
export const targetNames = ['Management', 'Cluster', 'ProjectSpace', 'ProjectVirtualCluster'] as const
export const patterns = [
  '*',
  'pods',
  'pods/log',
  'pods/*',
  '*/scale',
  '*/*',
  'virtualclusterinstances',
  'virtualclusterinstances/*',
  '*/accesskeys',
  'users/accesskeys',
  'virtualclusterinstances/link',
  'projects',
  'namespaces',
  'widgets',
  'serviceaccounts/token',
] as const
export const urls = ['*', '/metrics', '/logs/*', '/logs', '/healthz/*', '/lo*', '/*'] as const
