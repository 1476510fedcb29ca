import type { EffectiveConfig, KindSync, PatchConfig } from '../../../src/api/tenant-config/types.ts'

export interface ConfiguredPatch {
  /** The name in the tenant's counters. */
  readonly kind: string
  readonly patch: PatchConfig
}

/** Every patch of a configuration: to the host and from it, for built-in kinds and custom resources. */
export function patchesIn({ sync }: EffectiveConfig): readonly ConfiguredPatch[] {
  const { customResources, ...kinds } = sync.toHost
  const { customResources: importedResources, nodes: _, ...importedKinds } = sync.fromHost
  return [
    ...patchesOf({ ...kinds, ...customResources }, ''),
    ...patchesOf({ ...importedKinds, ...importedResources }, 'fromHost.'),
  ]
}

function patchesOf(kinds: Readonly<Record<string, KindSync>>, prefix: string): readonly ConfiguredPatch[] {
  return Object.entries(kinds).flatMap(([kind, { patches }]) =>
    patches.map((patch) => ({ kind: `${prefix}${kind}`, patch })),
  )
}

/** The effect of a patch in a few words. */
export function patchInShort({ expression, reverseExpression, reference }: PatchConfig): string {
  if (reference !== undefined) return `refers to ${reference.kind ?? 'an object'}`
  return [expression, reverseExpression && `back: ${reverseExpression}`].filter(Boolean).join(' · ') || 'labels'
}
