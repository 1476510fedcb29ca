import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { KubeClient, ServedResources } from '../../client/contract.ts'
import type { SyncKind } from '../../sync/contract.ts'
import { patchReferences } from '../../sync/imports/patch-references.ts'
import { customResourceSync } from '../../sync/kinds/generic.ts'
import type { ResolvedResources, ResourceName } from './manifests/contract.ts'

export const nothingResolved: ResolvedResources = { groups: {}, unnamespaced: [], referenced: [] }

/** Asks the host what the configuration leaves open about custom resources, and about kinds that patches refer to. */
export async function resolveResources(
  config: EffectiveConfig,
  { served }: KubeClient,
  signal?: AbortSignal,
): Promise<ResolvedResources> {
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
  }
}

function customKinds(config: EffectiveConfig): readonly SyncKind[] {
  const { toHost, fromHost } = config.sync
  const ids = new Set([...Object.keys(toHost.customResources), ...Object.keys(fromHost.customResources)])
  return [...ids].map(customResourceSync)
}

/** A plural without a group is enough where only one group has it. */
async function typeOf({ group, resource }: SyncKind, served: ServedResources, signal?: AbortSignal) {
  if (group !== undefined) return served.find(group, resource, signal)
  const [only, ...more] = await served.findPlural(resource, signal)
  return more.length === 0 ? only : undefined
}
