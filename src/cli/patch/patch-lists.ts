import { nearestName } from '../../api/tenant-config/did-you-mean.ts'
import type { EffectiveConfig, KindSync, PatchConfig } from '../../api/tenant-config/types.ts'
import { UsageError } from '../../base/usage-error.ts'

export interface ResourcePatches {
  /** The field in tenant.yaml. */
  readonly field: string
  /** As spelled in tenant.yaml. */
  readonly resource: string
  readonly patches: readonly PatchConfig[]
}

/** The patches of one kind. Case does not matter, so that kubectl's `configmaps` works too. */
export function patchesOf(config: EffectiveConfig, resource: string, section: 'toHost' | 'fromHost'): ResourcePatches {
  const lists = listsOf(config, section)
  const found = lists.find((list) => list.resource.toLowerCase() === resource.toLowerCase())
  if (found !== undefined) return found
  const known = lists.map((list) => list.resource)
  const near = nearestName(resource, known)
  const advice = near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`sync.${section} has no "${resource}"; ${advice}`)
}

function listsOf(config: EffectiveConfig, section: 'toHost' | 'fromHost'): readonly ResourcePatches[] {
  const { nodes: _, ...imported } = config.sync.fromHost
  const { customResources, ...builtin } = section === 'toHost' ? config.sync.toHost : imported
  return [...entries(builtin, `sync.${section}`), ...entries(customResources, `sync.${section}.customResources`)]
}

function entries(kinds: Readonly<Record<string, KindSync>>, field: string): readonly ResourcePatches[] {
  return Object.entries(kinds).map(([resource, { patches }]) => ({ field: `${field}.${resource}`, resource, patches }))
}
