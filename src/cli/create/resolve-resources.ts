import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { KubeClient, ServedResources } from '../../client/contract.ts'
import type { SyncKind } from '../../sync/contract.ts'
import { patchReferences } from '../../sync/imports/patch-references.ts'
import { customResourceSync } from '../../sync/kinds/generic.ts'
import { showsNodes } from '../../sync/nodes/shows-nodes.ts'
import { type AskedRight, mayDo } from '../../sync/run/may-list.ts'
import { disruptionVersionOf } from '../host/disruption-version.ts'
import { readPodRanges } from '../host/host-addresses.ts'
import type { ResolvedResources, ResourceName } from './manifests/contract.ts'

export const nothingResolved: ResolvedResources = {
  groups: {},
  unnamespaced: [],
  referenced: [],
  mayReadNodes: true,
  mayMeasureNodes: true,
  mayLimit: true,
  disruptionVersion: 'policy/v1',
  podRanges: [],
}

/** Asks the host what the configuration leaves open about custom resources and kinds that patches refer to. */
export async function resolveResources(
  config: EffectiveConfig,
  host: KubeClient,
  namespace: string,
  signal?: AbortSignal,
): Promise<ResolvedResources> {
  const { served } = host
  const custom = await Promise.all(
    customKinds(config).map(async (kind) => ({ kind, type: await typeOf(kind, served, signal) })),
  )
  const referenced = await Promise.all(
    patchReferences(config).map(({ apiVersion, kind }) => served.findKind(apiVersion, kind, signal)),
  )
  return {
    groups: Object.fromEntries(custom.flatMap(({ kind, type }) => (type ? [[kind.resource, type.group]] : []))),
    unnamespaced: custom.flatMap(({ kind, type }) => (type?.namespaced === false ? [kind.id] : [])),
    referenced: referenced.flatMap((type): readonly ResourceName[] =>
      type === undefined || !type.namespaced ? [] : [{ group: type.group, resource: type.resource }],
    ),
    mayReadNodes: showsNodes(config) && (await mayAll(host, rolesOfNodes, signal)),
    mayMeasureNodes: showsNodes(config) && (await mayAll(host, metricsOfNodes, signal)),
    mayLimit: await mayAll(host, limitsOf(namespace), signal),
    disruptionVersion: await disruptionVersionOf(host, signal),
    podRanges: await readPodRanges(host, signal),
  }
}

const rolesOfNodes: readonly AskedRight[] = [
  ...['get', 'create', 'patch'].flatMap((verb) =>
    ['clusterroles', 'clusterrolebindings'].map((resource) => ({ verb, group: 'rbac.authorization.k8s.io', resource })),
  ),
  ...['get', 'list', 'watch'].map((verb) => ({ verb, group: '', resource: 'nodes' })),
]

const metricsOfNodes: readonly AskedRight[] = ['get', 'list'].map((verb) => ({
  verb,
  group: 'metrics.k8s.io',
  resource: 'nodes',
}))

/** The role `admin` of Kubernetes does not allow writing these. */
function limitsOf(namespace: string): readonly AskedRight[] {
  return ['get', 'create', 'patch'].flatMap((verb) =>
    ['resourcequotas', 'limitranges'].map((resource) => ({ verb, group: '', resource, namespace })),
  )
}

/** An administrator of one namespace cannot grant cluster-wide rights; others can grant only what they have. */
async function mayAll(host: KubeClient, rights: readonly AskedRight[], signal?: AbortSignal): Promise<boolean> {
  const answers = await Promise.all(rights.map((right) => mayDo(host, right, signal)))
  return answers.every((isAllowed) => isAllowed)
}

function customKinds(config: EffectiveConfig): readonly SyncKind[] {
  const { toHost, fromHost } = config.sync
  const ids = new Set([...Object.keys(toHost.customResources), ...Object.keys(fromHost.customResources)])
  return [...ids].map(customResourceSync)
}

/** A plural without a group is enough if only one group has it. */
async function typeOf({ group, resource }: SyncKind, served: ServedResources, signal?: AbortSignal) {
  if (group !== undefined) return served.find(group, resource, signal)
  const [only, ...more] = await served.findPlural(resource, signal)
  return more.length === 0 ? only : undefined
}
