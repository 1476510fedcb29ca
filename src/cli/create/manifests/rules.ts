import { identitySecretName } from '../../../api/link.ts'
import { defaultKeySecret } from '../../../api/tenant-config/fields.ts'
import type { ExternalConfig } from '../../../api/tenant-config/types.ts'
import type { SyncKind } from '../../../sync/contract.ts'
import { importedKinds } from '../../../sync/imports/imported-kinds.ts'
import { importMapping } from '../../../sync/imports/mapping.ts'
import { enabledKinds } from '../../../sync/kinds/enabled.ts'
import { showsNodes } from '../../../sync/nodes/shows-nodes.ts'
import { adminSecretName } from '../../../tenant/admin-kubeconfig.ts'
import { keptLicenseName } from '../../../tenant/license/kept-license.ts'
import { commonSecretName } from '../../../tenant/replicas/common-secret.ts'
import { syncerLeaseName } from '../../../tenant/sync/lease-name.ts'
import type { ManifestRule } from '../../host/manifest.ts'
import type { ResolvedResources, ResourceName, TenantDeployment } from './contract.ts'

/** The rights that a tenant needs on its host, and no more: it cannot reach what tenant.yaml does not sync. */
export interface HostRules {
  /** In the tenant's own namespace. */
  readonly own: readonly ManifestRule[]
  /** In other namespaces from which objects are imported. */
  readonly elsewhere: ReadonlyMap<string, readonly ManifestRule[]>
  /** In all namespaces, and for cluster-scoped resources. */
  readonly cluster: readonly ManifestRule[]
}

/** A rule, and the namespace in which it holds; undefined: all. */
interface PlacedRule {
  readonly namespace: string | undefined
  readonly rule: ManifestRule
}

const read = ['get', 'list', 'watch']
const write = ['create', 'update', 'delete']
const secrets: ResourceName = { group: '', resource: 'secrets' }

export function hostRules(deployment: TenantDeployment): HostRules {
  const { namespace: own } = deployment
  const placed = [
    ...syncedRules(deployment),
    ...importedRules(deployment),
    ...nodeRules(deployment),
    ...quotaRules(deployment),
  ]
  const rulesIn = (place: string | undefined) =>
    placed.filter(({ namespace }) => namespace === place).map(({ rule }) => rule)
  const namespaces = new Set(placed.flatMap(({ namespace }) => namespace ?? []))
  return {
    own: [...ownRules(deployment), ...rulesIn(own)],
    elsewhere: new Map([...namespaces].filter((place) => place !== own).map((place) => [place, rulesIn(place)])),
    cluster: rulesIn(undefined),
  }
}

/**
 * Its key, its kubeconfig, license and proof, the common files of its replicas, the Service that identifies it, its
 * lease, and Events about itself.
 */
function ownRules({ name, namespace, config }: TenantDeployment): readonly ManifestRule[] {
  const { virtualKubeconfig, replicas } = config.controlPlane
  const kept = [
    adminSecretName(name, config.controlPlane),
    keptLicenseName(name),
    identitySecretName(name),
    ...(config.controlPlane.storage.etcd === undefined ? [] : [commonSecretName(name)]),
  ]
  const readable = [
    ...keySecrets(config.external, namespace),
    virtualKubeconfig?.secretName,
    config.license.secretName,
  ].filter((secret) => secret !== undefined)
  return [
    named(rule([secrets], read), [...readable, ...kept]),
    named(rule([secrets], ['update', 'patch']), kept),
    ...(config.sync.toHost.secrets.enabled ? [] : [rule([secrets], ['create'])]),
    named(rule([{ group: '', resource: 'services' }], ['get']), [name]),
    rule([{ group: '', resource: 'events' }], ['get', 'create', 'patch']),
    ...(replicas > 1 ? leaseRules(name) : []),
  ]
}

/**
 * Secrets of its own namespace that may hold the key. Without `createRBAC` the operator grants access to the configured
 * one.
 */
function keySecrets({ platform }: ExternalConfig, own: string): readonly string[] {
  const { secretName = defaultKeySecret, namespace = own, createRBAC = true } = platform?.apiKey ?? {}
  const isElsewhere = namespace !== own
  const configured = !isElsewhere && createRBAC ? [secretName] : []
  const isUsual = !isElsewhere && secretName === defaultKeySecret
  return isUsual ? configured : [defaultKeySecret, ...configured]
}

/** Replicas use a lease to agree on which of them syncs. */
function leaseRules(name: string): readonly ManifestRule[] {
  const leases = [{ group: 'coordination.k8s.io', resource: 'leases' }]
  return [rule(leases, ['create']), named(rule(leases, ['get', 'update']), [syncerLeaseName(name)])]
}

/** Copies are written; referenced objects are read, since they may be imported. */
function syncedRules({ namespace, config, resources }: TenantDeployment): readonly PlacedRule[] {
  const kinds = enabledKinds(config).map(({ kind }) => kind)
  const inNamespaces = kinds.filter(({ id }) => !resources.unnamespaced.includes(id))
  const inNone = kinds.filter(({ id }) => resources.unnamespaced.includes(id))
  const place = config.sync.toHost.namespaces.enabled ? undefined : namespace
  const synced = [
    ...inNamespaces.map((kind) => resourceOf(kind, resources)),
    ...(config.sync.toHost.pods.enabled ? companionResources : []),
  ]
  const referenced = [...kinds.flatMap(({ refersTo = [] }) => refersTo), ...resources.referenced]
  const readOnly = referenced.filter((each) => !synced.some((other) => isSame(each, other)))
  return [
    ...byGroup(synced, [...read, ...write]).map((each) => ({ namespace: place, rule: each })),
    ...byGroup(readOnly, read).map((each) => ({ namespace: place, rule: each })),
    ...(config.sync.toHost.pods.enabled ? podRules.map((each) => ({ namespace: place, rule: each })) : []),
    ...byGroup(
      inNone.map((kind) => resourceOf(kind, resources)),
      [...read, ...write],
    ).map((each) => ({ namespace: undefined, rule: each })),
  ]
}

/** What Pods have on the host besides copies: their tokens, and the variables of Services. */
const companionResources: readonly ResourceName[] = [secrets, { group: '', resource: 'configmaps' }]

/**
 * Logs of Pods, commands in them, connections to them and to their ports, changes to running Pods, and Events about
 * them. Older hosts open streams with both verbs.
 */
const podRules: readonly ManifestRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['list', 'watch'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['metrics.k8s.io'], resources: ['pods'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods/status', 'pods/ephemeralcontainers', 'pods/resize'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['get', 'create'] },
  { apiGroups: [''], resources: ['pods/proxy'], verbs: ['get', 'create', 'update', 'patch', 'delete'] },
]

/** Reading imported objects in their namespaces, or single objects if tenant.yaml names only those. */
function importedRules({ config, resources }: TenantDeployment): readonly PlacedRule[] {
  return importedKinds(config).flatMap(({ kind, byName }) => {
    const { sources } = importMapping(byName)
    return [...new Set(sources.map(({ namespace }) => namespace))].map((namespace) => {
      const names = sources.filter((source) => source.namespace === namespace).map(({ name }) => name)
      const whole = rule([resourceOf(kind, resources)], read)
      const single = names.filter((name) => name !== undefined)
      return { namespace, rule: single.length < names.length ? whole : named(whole, single) }
    })
  })
}

/** If copies are in one namespace: copies that its quotas refused are retried when there is room. */
function quotaRules({ namespace, config }: TenantDeployment): readonly PlacedRule[] {
  const { pods, namespaces } = config.sync.toHost
  if (!pods.enabled || namespaces.enabled) return []
  return [{ namespace, rule: rule([{ group: '', resource: 'resourcequotas' }], ['list', 'watch']) }]
}

const measuring: PlacedRule = {
  namespace: undefined,
  rule: { apiGroups: ['metrics.k8s.io'], resources: ['nodes'], verbs: ['get', 'list'] },
}

/** Nodes are cluster-scoped. */
function nodeRules({ config, resources }: TenantDeployment): readonly PlacedRule[] {
  if (!showsNodes(config) || !resources.mayReadNodes) return []
  return [
    { namespace: undefined, rule: rule([{ group: '', resource: 'nodes' }], read) },
    ...(resources.mayMeasureNodes ? [measuring] : []),
  ]
}

/** A plural without a group is completed with the group that the host serves. */
function resourceOf({ group, resource }: SyncKind, { groups }: ResolvedResources): ResourceName {
  const found = Object.hasOwn(groups, resource) ? groups[resource] : undefined
  return { group: group ?? found ?? '*', resource }
}

function byGroup(resources: readonly ResourceName[], verbs: readonly string[]): readonly ManifestRule[] {
  const groups = new Set(resources.map(({ group }) => group))
  return [...groups].map((group) =>
    rule(
      resources.filter((each) => each.group === group),
      verbs,
    ),
  )
}

function rule(resources: readonly ResourceName[], verbs: readonly string[]): ManifestRule {
  return {
    apiGroups: [...new Set(resources.map(({ group }) => group))],
    resources: [...new Set(resources.map(({ resource }) => resource))],
    verbs,
  }
}

function named(rule: ManifestRule, names: readonly string[]): ManifestRule {
  return { ...rule, resourceNames: [...new Set(names)] }
}

function isSame(left: ResourceName, right: ResourceName): boolean {
  return left.group === right.group && left.resource === right.resource
}
