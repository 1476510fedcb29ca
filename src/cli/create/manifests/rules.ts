import { defaultKeySecret } from '../../../api/tenant-config/fields.ts'
import type { EffectiveConfig, ImportedKindSync, KindSync } from '../../../api/tenant-config/types.ts'
import type { Deployment, PolicyRule, ResolvedResources, ResourceName } from './contract.ts'

/** What a tenant needs on its host, and no more: what tenant.yaml does not sync is out of its reach. */
export interface HostRules {
  /** In the tenant's own namespace. */
  readonly own: readonly PolicyRule[]
  /** In other namespaces that something is imported from. */
  readonly elsewhere: ReadonlyMap<string, readonly PolicyRule[]>
  /** In all namespaces. */
  readonly cluster: readonly PolicyRule[]
}

const read = ['get', 'list', 'watch']
const write = ['create', 'update', 'delete']

const resources: Readonly<Record<string, ResourceName>> = {
  endpoints: { group: '', resource: 'endpoints' },
  services: { group: '', resource: 'services' },
  endpointSlices: { group: 'discovery.k8s.io', resource: 'endpointslices' },
  secrets: { group: '', resource: 'secrets' },
  configMaps: { group: '', resource: 'configmaps' },
  serviceAccounts: { group: '', resource: 'serviceaccounts' },
  ingresses: { group: 'networking.k8s.io', resource: 'ingresses' },
  networkPolicies: { group: 'networking.k8s.io', resource: 'networkpolicies' },
  persistentVolumeClaims: { group: '', resource: 'persistentvolumeclaims' },
}

export function hostRules(deployment: Deployment): HostRules {
  const { config } = deployment
  const synced = syncedRules(config, deployment.resources)
  const { enabled: manyNamespaces } = config.sync.toHost.namespaces
  const imported = importedRules(config, deployment)
  return {
    own: [...ownRules(deployment), ...(manyNamespaces ? [] : synced), ...(imported.get(deployment.namespace) ?? [])],
    elsewhere: new Map([...imported].filter(([namespace]) => namespace !== deployment.namespace && namespace !== '*')),
    cluster: [
      ...(manyNamespaces ? [rule([{ group: '', resource: 'namespaces' }], [...read, ...write]), ...synced] : []),
      ...(imported.get('*') ?? []),
    ],
  }
}

/** Its key, its own kubeconfig and licence, its Service, which it is known by, its lease, and Events about itself. */
function ownRules({ name, config }: Deployment): readonly PolicyRule[] {
  const { adminKubeconfig, virtualKubeconfig } = config.controlPlane
  const kept = [adminKubeconfig.secretName ?? `tenant-${name}`, `tenant-${name}-license`]
  const readable = [
    defaultKeySecret,
    config.external.platform?.apiKey?.namespace === undefined
      ? config.external.platform?.apiKey?.secretName
      : undefined,
    virtualKubeconfig?.secretName,
    config.license.secretName,
  ].filter((secret) => secret !== undefined)
  return [
    { ...rule([{ group: '', resource: 'secrets' }], read), resourceNames: [...new Set([...readable, ...kept])] },
    { ...rule([{ group: '', resource: 'secrets' }], ['update', 'patch']), resourceNames: kept },
    ...(config.sync.toHost.secrets.enabled ? [] : [rule([{ group: '', resource: 'secrets' }], ['create'])]),
    { ...rule([{ group: '', resource: 'services' }], ['get']), resourceNames: [name] },
    rule([{ group: '', resource: 'events' }], ['get', 'create', 'patch']),
    ...(config.controlPlane.replicas > 1 ? leaseRules(name) : []),
  ]
}

/** Replicas agree by a lease on which of them syncs. */
function leaseRules(name: string): readonly PolicyRule[] {
  const leases = [{ group: 'coordination.k8s.io', resource: 'leases' }]
  return [rule(leases, ['create']), { ...rule(leases, ['get', 'update']), resourceNames: [`${name}-syncer`] }]
}

function syncedRules({ sync }: EffectiveConfig, resolved: ResolvedResources): readonly PolicyRule[] {
  const { customResources, namespaces: _, ...kinds } = sync.toHost
  const known = Object.entries<KindSync>(kinds).flatMap(([id, { enabled }]) => (enabled ? [resources[id]] : []))
  const custom = Object.entries(customResources).flatMap(([id, { enabled }]) =>
    enabled ? [customResource(id, resolved)] : [],
  )
  const synced = [...known, ...custom].filter((resource) => resource !== undefined)
  return [...byGroup(synced, [...read, ...write]), ...byGroup(resolved.referenced, read)]
}

/** Readers by namespace; `*` for all. */
function importedRules({ sync }: EffectiveConfig, { namespace, resources: resolved }: Deployment) {
  const { customResources, ...kinds } = sync.fromHost
  const imported: readonly (readonly [ResourceName | undefined, ImportedKindSync])[] = [
    ...Object.entries(kinds).map(([id, kind]) => [resources[id], kind] as const),
    ...Object.entries(customResources).map(([id, kind]) => [customResource(id, resolved), kind] as const),
  ]
  const rules = new Map<string, PolicyRule[]>()
  for (const [resource, { enabled, mappings }] of imported) {
    if (!enabled || resource === undefined) continue
    const sources = Object.keys(mappings.byName)
    for (const place of new Set(sources.length === 0 ? ['*'] : sources.map((from) => namespaceIn(from, namespace)))) {
      rules.set(place, [...(rules.get(place) ?? []), rule([resource], read)])
    }
  }
  return rules
}

/** `shared/ca` and `shared/*` are in shared, `ca` is in the tenant's own namespace, and `team-*` anywhere. */
function namespaceIn(from: string, own: string): string {
  const slash = from.indexOf('/')
  if (slash < 0) return own
  const namespace = from.slice(0, slash)
  return namespace.endsWith('*') ? '*' : namespace
}

function customResource(id: string, { groups }: ResolvedResources): ResourceName {
  const dot = id.indexOf('.')
  return dot < 0
    ? { group: groups[id] ?? '*', resource: id.toLowerCase() }
    : { group: id.slice(dot + 1), resource: id.slice(0, dot).toLowerCase() }
}

function byGroup(named: readonly ResourceName[], verbs: readonly string[]): readonly PolicyRule[] {
  const groups = new Set(named.map(({ group }) => group))
  return [...groups].map((group) =>
    rule(
      named.filter((each) => each.group === group),
      verbs,
    ),
  )
}

function rule(named: readonly ResourceName[], verbs: readonly string[]): PolicyRule {
  return {
    apiGroups: [...new Set(named.map(({ group }) => group))],
    resources: [...new Set(named.map(({ resource }) => resource))],
    verbs,
  }
}
