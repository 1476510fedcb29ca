import type { EffectiveConfig, KindSync, Patch } from '../../api/tenant-config/types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { ResolvedResources, ResourceName } from './manifests/contract.ts'

export const nothingResolved: ResolvedResources = { groups: {}, referenced: [] }

/** Asks the host what the configuration leaves open: groups of plurals, and resources of kinds that patches refer to. */
export async function resolveResources(
  { sync }: EffectiveConfig,
  { served }: KubeClient,
  signal?: AbortSignal,
): Promise<ResolvedResources> {
  const custom = [...Object.keys(sync.toHost.customResources), ...Object.keys(sync.fromHost.customResources)]
  const plurals = [...new Set(custom.filter((id) => !id.includes('.')))]
  const groups = await Promise.all(
    plurals.map(async (plural) => [plural, await served.findPlural(plural.toLowerCase(), signal)] as const),
  )
  const kinds = await Promise.all(
    referencedKinds(sync).map(({ apiVersion, kind }) => served.findKind(apiVersion, kind, signal)),
  )
  return {
    groups: Object.fromEntries(
      groups.flatMap(([plural, [only, ...more]]) => (only && more.length === 0 ? [[plural, only.group]] : [])),
    ),
    referenced: kinds.flatMap((type): readonly ResourceName[] =>
      type === undefined || !type.namespaced ? [] : [{ group: type.group, resource: type.resource }],
    ),
  }
}

interface ReferencedKind {
  readonly apiVersion: string
  readonly kind: string
}

function referencedKinds(sync: EffectiveConfig['sync']): readonly ReferencedKind[] {
  const { customResources, ...kinds } = sync.toHost
  const lists = [...Object.values<KindSync>(kinds), ...Object.values(customResources)]
  const found = lists.filter(({ enabled }) => enabled).flatMap(({ patches }) => patches.flatMap(kindOf))
  return [...new Map(found.map((each) => [`${each.apiVersion} ${each.kind}`, each])).values()]
}

function kindOf({ reference }: Patch): readonly ReferencedKind[] {
  const { apiVersion, kind, labels } = reference ?? {}
  return apiVersion && kind && labels === undefined ? [{ apiVersion, kind }] : []
}
