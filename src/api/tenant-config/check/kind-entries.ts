import type { Span, YamlMap, YamlValue } from '../../../base/yaml-source/node.ts'
import { yamlValueAt } from '../locate.ts'
import type { ConfigPath } from '../problem.ts'

/** The settings of one kind, as far as they are written. */
export interface KindEntry {
  readonly section: 'toHost' | 'fromHost'
  readonly path: ConfigPath
  readonly keySpan: Span
  readonly settings: YamlMap
  readonly custom: boolean
}

const sections = ['toHost', 'fromHost'] as const

export function kindEntries(root: YamlValue): readonly KindEntry[] {
  return sections.flatMap((section) => {
    const path = ['sync', section]
    return entriesUnder(root, path).flatMap(({ key, keySpan, settings }): readonly KindEntry[] => {
      const own = [...path, key]
      if (key !== 'customResources') return [{ section, path: own, keySpan, settings, custom: false }]
      return entriesUnder(root, own).map((entry) => ({
        section,
        path: [...own, entry.key],
        keySpan: entry.keySpan,
        settings: entry.settings,
        custom: true,
      }))
    })
  })
}

function entriesUnder(root: YamlValue, path: ConfigPath) {
  const map = yamlValueAt(root, path)
  const members = map?.type === 'map' ? map.members : []
  return members.flatMap(({ key, keySpan, value }) => (value.type === 'map' ? [{ key, keySpan, settings: value }] : []))
}
