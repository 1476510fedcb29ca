import { yamlToJson } from '../../base/yaml-source/json.ts'
import type { YamlList } from '../../base/yaml-source/node.ts'
import { kindEntries } from './check/kind-entries.ts'
import { isPatch } from './conforms.ts'
import type { ConfigDocument } from './document.ts'
import { yamlValueAt } from './locate.ts'
import type { ConfigPath } from './problem.ts'
import type { PatchConfig } from './types.ts'

/** The patches of one kind. */
export interface PatchList {
  readonly section: 'toHost' | 'fromHost'
  /** The path of the list, such as `sync`, `toHost`, `endpoints`, `patches`. */
  readonly path: ConfigPath
  readonly patches: readonly PatchConfig[]
  /** Positions of the patches in the list as written; invalid patches are omitted. */
  readonly indexes: readonly number[]
}

/** All patches of a document, even one with problems elsewhere, so that everything can be checked at once. */
export function patchListsOf({ source: { root } }: ConfigDocument): readonly PatchList[] {
  if (root === undefined) return []
  return kindEntries(root).flatMap(({ section, path, settings }) => {
    const list = yamlValueAt(settings, ['patches'])
    return list?.type === 'list' ? [{ section, path: [...path, 'patches'], ...readable(list) }] : []
  })
}

function readable(list: YamlList): { readonly patches: readonly PatchConfig[]; readonly indexes: readonly number[] } {
  const patches: PatchConfig[] = []
  const indexes: number[] = []
  for (const [index, item] of list.items.entries()) {
    const patch = yamlToJson(item)
    if (!isPatch(patch)) continue
    patches.push(patch)
    indexes.push(index)
  }
  return { patches, indexes }
}
