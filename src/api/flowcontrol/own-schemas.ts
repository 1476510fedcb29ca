import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../types/flowcontrol-v1.ts'
import { ownByAnnotation } from './own-levels.ts'

const everyResource = resources(['*'], '*', ['*'], true)
const everyPath: NonResourcePolicyRule = { verbs: ['*'], nonResourceURLs: ['*'] }
const all = { resourceRules: [everyResource], nonResourceRules: [everyPath] }
const leases = resources(['get', 'create', 'update'], 'coordination.k8s.io', ['leases'])
const anyone = [group('system:unauthenticated'), group('system:authenticated')]
const manager = user('system:kube-controller-manager')
const scheduler = user('system:kube-scheduler')
const nodes = [group('system:nodes')]
const systemAccounts = [account('*')]

/** Its precedence, its level, what distinguishes its flows, and whose requests it matches. */
type OwnSchema = readonly [
  name: string,
  precedence: number,
  level: string,
  method: 'ByUser' | 'ByNamespace' | undefined,
  rules: PolicyRulesWithSubjects,
]

const table: readonly OwnSchema[] = [
  ['exempt', 1, 'exempt', undefined, { subjects: [group('system:masters')], ...all }],
  [
    'probes',
    2,
    'exempt',
    undefined,
    { subjects: anyone, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
  ],
  [
    'system-leader-election',
    100,
    'leader-election',
    'ByUser',
    { subjects: [manager, scheduler, ...systemAccounts], resourceRules: [leases] },
  ],
  [
    'endpoint-controller',
    150,
    'workload-high',
    'ByUser',
    {
      subjects: [manager, account('endpoint-controller'), account('endpointslicemirroring-controller')],
      resourceRules: [resources(['get', 'create', 'update'], '', ['endpoints'])],
    },
  ],
  [
    'workload-leader-election',
    200,
    'leader-election',
    'ByUser',
    {
      subjects: systemAccounts,
      resourceRules: [resources(['get', 'create', 'update'], '', ['endpoints', 'configmaps']), leases],
    },
  ],
  [
    'system-node-high',
    400,
    'node-high',
    'ByUser',
    {
      subjects: nodes,
      resourceRules: [
        resources(['*'], '', ['nodes', 'nodes/status'], true),
        resources(['*'], 'coordination.k8s.io', ['leases']),
      ],
    },
  ],
  ['system-nodes', 500, 'system', 'ByUser', { subjects: nodes, ...all }],
  ['kube-controller-manager', 800, 'workload-high', 'ByNamespace', { subjects: [manager], ...all }],
  ['kube-scheduler', 800, 'workload-high', 'ByNamespace', { subjects: [scheduler], ...all }],
  ['kube-system-service-accounts', 900, 'workload-high', 'ByNamespace', { subjects: systemAccounts, ...all }],
  ['service-accounts', 9000, 'workload-low', 'ByUser', { subjects: [group('system:serviceaccounts')], ...all }],
  ['global-default', 9900, 'global-default', 'ByUser', { subjects: anyone, ...all }],
  ['catch-all', 10_000, 'catch-all', 'ByUser', { subjects: anyone, ...all }],
]

const specs: ReadonlyMap<string, FlowSchemaSpec> = new Map(table.map((schema) => [schema[0], specOf(schema)]))

/** Schemas that may not be changed. */
export const fixedSchemas: ReadonlySet<string> = new Set(['exempt', 'catch-all'])

/** The spec of a schema that Kubernetes itself has. */
export function ownSchemaSpec(name: string): FlowSchemaSpec | undefined {
  return specs.get(name)
}

/** The schemas that every cluster starts with. */
export const ownSchemas = [...specs].map(([name, spec]) => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name, annotations: ownByAnnotation },
  spec,
}))

function specOf([, matchingPrecedence, level, method, rules]: OwnSchema): FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(method === undefined ? {} : { distinguisherMethod: { type: method } }),
    rules: [rules],
  }
}

function resources(
  verbs: readonly string[],
  apiGroup: string,
  names: readonly string[],
  clusterScope?: true,
): ResourcePolicyRule {
  const scope = clusterScope === undefined ? {} : { clusterScope }
  return { verbs, apiGroups: [apiGroup], resources: names, ...scope, namespaces: ['*'] }
}

function group(name: string): Subject {
  return { kind: 'Group', group: { name } }
}

function user(name: string): Subject {
  return { kind: 'User', user: { name } }
}

function account(name: string): Subject {
  return { kind: 'ServiceAccount', serviceAccount: { name, namespace: 'kube-system' } }
}
