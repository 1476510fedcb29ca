import type { ScopeRule } from '../../../api/types/management.ts'

/** A rule with its lists side by side. An empty list limits nothing, as in the rule itself. */
export interface PlainRule {
  readonly place: Pick<ScopeRule, 'requestTargets' | 'cluster' | 'virtualClusters'>
  /** Undefined: resources of all groups. */
  readonly group: string | undefined
  readonly verbs: readonly string[]
  readonly resources: readonly string[]
  readonly names: readonly string[]
  readonly namespaces: readonly string[]
  readonly paths: readonly string[]
}

type List = 'verbs' | 'names' | 'resources' | 'namespaces' | 'paths'

const lists: readonly List[] = ['verbs', 'names', 'resources', 'namespaces', 'paths']

/** Merges rules that differ in only one list; the result grants the same. */
export function mergedRules(rules: readonly PlainRule[]): readonly PlainRule[] {
  return lists.reduce((merged, list) => mergedAlong(list, merged), rules)
}

function mergedAlong(list: List, rules: readonly PlainRule[]): readonly PlainRule[] {
  const merged = new Map<string, PlainRule>()
  for (const rule of rules) {
    const rest = JSON.stringify({ ...rule, [list]: [] })
    const other = merged.get(rest)
    merged.set(rest, other === undefined ? rule : { ...rule, [list]: union(rule[list], other[list]) })
  }
  return [...merged.values()]
}

function union(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.length === 0 || right.length === 0 ? [] : [...new Set([...left, ...right])].toSorted()
}

export function scopeRule({ place, group, verbs, resources, names, namespaces, paths }: PlainRule): ScopeRule {
  const kinds = { group: group ?? '', resources, ...(names.length === 0 ? {} : { resourceNames: names }) }
  return {
    ...place,
    verbs,
    ...(group === undefined ? {} : { resources: [kinds] }),
    ...(namespaces.length === 0 ? {} : { namespaces }),
    nonResourceURLs: paths,
  }
}
