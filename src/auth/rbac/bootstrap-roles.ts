import type { PathRule, ResourceRule } from '../contract.ts'

/** A ClusterRole of the bootstrap policy: with its own rules, or those of all roles with certain labels. */
export interface BootstrapRole {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly rules?: readonly (ResourceRule | PathRule)[]
  readonly aggregates?: Readonly<Record<string, string>>
}

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']
const everything = [...write, ...read].sort()

const healthPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/']
const discoveryPaths = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
]

const aggregateToAdmin = { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' }
const aggregateToEdit = { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' }
const aggregateToView = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }

/** Subresources of pods that lead into a running one. */
const podStreams = ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy']

const rbac = 'rbac.authorization.k8s.io'

export const bootstrapRoles: readonly BootstrapRole[] = [
  {
    name: 'cluster-admin',
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  },
  { name: 'system:discovery', rules: [{ verbs: ['get'], nonResourceURLs: discoveryPaths }] },
  { name: 'system:public-info-viewer', rules: [{ verbs: ['get'], nonResourceURLs: healthPaths }] },
  {
    name: 'system:basic-user',
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
  },
  { name: 'admin', aggregates: aggregateToAdmin },
  { name: 'edit', labels: aggregateToAdmin, aggregates: aggregateToEdit },
  { name: 'view', labels: aggregateToEdit, aggregates: aggregateToView },
  {
    name: 'system:aggregate-to-admin',
    labels: aggregateToAdmin,
    rules: [
      { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'] },
      { verbs: everything, apiGroups: [rbac], resources: ['rolebindings', 'roles'] },
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    labels: aggregateToEdit,
    rules: [
      { verbs: read, apiGroups: [''], resources: [...podStreams, 'secrets', 'services/proxy'] },
      { verbs: ['impersonate'], apiGroups: [''], resources: ['serviceaccounts'] },
      { verbs: write, apiGroups: [''], resources: ['pods', ...podStreams] },
      { verbs: ['create'], apiGroups: [''], resources: ['pods/eviction'] },
      {
        verbs: write,
        apiGroups: [''],
        resources: [
          'configmaps',
          'events',
          'persistentvolumeclaims',
          'replicationcontrollers',
          'replicationcontrollers/scale',
          'secrets',
          'serviceaccounts',
          'services',
          'services/proxy',
        ],
      },
      { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] },
      {
        verbs: write,
        apiGroups: ['apps'],
        resources: [
          'daemonsets',
          'deployments',
          'deployments/rollback',
          'deployments/scale',
          'replicasets',
          'replicasets/scale',
          'statefulsets',
          'statefulsets/scale',
        ],
      },
      { verbs: write, apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] },
      { verbs: write, apiGroups: ['batch'], resources: ['cronjobs', 'jobs'] },
      {
        verbs: write,
        apiGroups: ['extensions'],
        resources: [
          'daemonsets',
          'deployments',
          'deployments/rollback',
          'deployments/scale',
          'ingresses',
          'networkpolicies',
          'replicasets',
          'replicasets/scale',
          'replicationcontrollers/scale',
        ],
      },
      { verbs: write, apiGroups: ['policy'], resources: ['poddisruptionbudgets'] },
      { verbs: write, apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'] },
      { verbs: everything, apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
    ],
  },
  {
    name: 'system:aggregate-to-view',
    labels: aggregateToView,
    rules: [
      {
        verbs: read,
        apiGroups: [''],
        resources: [
          'configmaps',
          'endpoints',
          'persistentvolumeclaims',
          'persistentvolumeclaims/status',
          'pods',
          'replicationcontrollers',
          'replicationcontrollers/scale',
          'serviceaccounts',
          'services',
          'services/status',
        ],
      },
      {
        verbs: read,
        apiGroups: [''],
        resources: [
          'bindings',
          'events',
          'limitranges',
          'namespaces/status',
          'pods/log',
          'pods/status',
          'replicationcontrollers/status',
          'resourcequotas',
          'resourcequotas/status',
        ],
      },
      { verbs: read, apiGroups: [''], resources: ['namespaces'] },
      { verbs: read, apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
      {
        verbs: read,
        apiGroups: ['apps'],
        resources: [
          'controllerrevisions',
          'daemonsets',
          'daemonsets/status',
          'deployments',
          'deployments/scale',
          'deployments/status',
          'replicasets',
          'replicasets/scale',
          'replicasets/status',
          'statefulsets',
          'statefulsets/scale',
          'statefulsets/status',
        ],
      },
      {
        verbs: read,
        apiGroups: ['autoscaling'],
        resources: ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'],
      },
      { verbs: read, apiGroups: ['batch'], resources: ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'] },
      {
        verbs: read,
        apiGroups: ['extensions'],
        resources: [
          'daemonsets',
          'daemonsets/status',
          'deployments',
          'deployments/scale',
          'deployments/status',
          'ingresses',
          'ingresses/status',
          'networkpolicies',
          'replicasets',
          'replicasets/scale',
          'replicasets/status',
          'replicationcontrollers/scale',
        ],
      },
      { verbs: read, apiGroups: ['policy'], resources: ['poddisruptionbudgets', 'poddisruptionbudgets/status'] },
      {
        verbs: read,
        apiGroups: ['networking.k8s.io'],
        resources: ['ingresses', 'ingresses/status', 'networkpolicies'],
      },
    ],
  },
]
