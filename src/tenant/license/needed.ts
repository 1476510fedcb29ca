import type { EffectiveConfig, KindSync } from '../../api/tenant-config/types.ts'
import type { Feature } from '../../auth/license/contract.ts'

/** A feature that a configuration requires, and the first field that requires it. */
export interface NeededFeature {
  readonly feature: Feature
  readonly field: string
}

export function neededFeatures({ sync }: EffectiveConfig): readonly NeededFeature[] {
  const { nodes: _, ...imported } = sync.fromHost
  const field = firstPatched('sync.toHost', sync.toHost) ?? firstPatched('sync.fromHost', imported)
  return field === undefined ? [] : [{ feature: 'sync-patches', field }]
}

interface Section {
  readonly customResources: Readonly<Record<string, KindSync>>
}

function firstPatched(path: string, section: Section): string | undefined {
  const { customResources, ...kinds } = section
  const own = firstIn(path, Object.entries<KindSync>(kinds))
  return own ?? firstIn(`${path}.customResources`, Object.entries(customResources))
}

function firstIn(path: string, kinds: readonly (readonly [string, KindSync])[]): string | undefined {
  const patched = kinds.find(([, { patches }]) => patches.length > 0)
  return patched && `${path}.${patched[0]}.patches`
}
