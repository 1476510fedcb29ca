import type { ObjectName } from '../../patches/contract.ts'
import { parseName, printName, sameName } from '../names/names.ts'

/** Maps objects of the host to their imports. */
export interface ImportMapping {
  virtualOf(host: ObjectName): ObjectName | undefined
  /** The source that an object of the virtual cluster would have. */
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** What to watch on the host. */
  readonly sources: readonly ImportSource[]
}

export interface ImportSource {
  /** Absent for kinds without namespaces. */
  readonly namespace?: string
  /** Absent: all objects. */
  readonly name?: string
}

interface Entry {
  readonly from: string
  readonly to: string
}

/**
 * The mappings of tenant.yaml: `namespace/name` for one object, `namespace/*` for all of a namespace. The most specific
 * one wins.
 */
export function importMapping(byName: Readonly<Record<string, string>>): ImportMapping {
  const entries = Object.entries(byName)
    .map(([from, to]) => ({ from, to }))
    .sort((left, right) => exactness(right.from) - exactness(left.from))
  const virtualOf = (host: ObjectName) => first(entries, printName(host))
  return {
    virtualOf,
    hostOf: (virtual) => {
      for (const entry of entries) {
        const host = translated(printName(virtual), { from: entry.to, to: entry.from })
        const back = host && virtualOf(host)
        if (host !== undefined && back !== undefined && sameName(back, virtual)) return host
      }
      return undefined
    },
    sources: sourcesOf(entries),
  }
}

function first(entries: readonly Entry[], name: string): ObjectName | undefined {
  for (const entry of entries) {
    const found = translated(name, entry)
    if (found !== undefined) return found
  }
  return undefined
}

function translated(name: string, { from, to }: Entry): ObjectName | undefined {
  if (!from.endsWith('*')) return from === name ? parseName(to) : undefined
  const prefix = from.slice(0, -1)
  if (!name.startsWith(prefix) || name.length === prefix.length) return undefined
  const rest = name.slice(prefix.length)
  return rest.includes('/') ? undefined : parseName(to.slice(0, -1) + rest)
}

function exactness(pattern: string): number {
  return pattern.endsWith('*') ? pattern.length : Number.POSITIVE_INFINITY
}

/** A namespace with many imported objects is watched as a whole. */
function sourcesOf(entries: readonly Entry[]): readonly ImportSource[] {
  const byNamespace = new Map<string, { isWhole: boolean; readonly names: Set<string> }>()
  for (const { from } of entries) {
    const { namespace, name } = parseName(from)
    const known = byNamespace.get(namespace) ?? { isWhole: false, names: new Set<string>() }
    known.isWhole ||= name.endsWith('*')
    byNamespace.set(namespace, { ...known, names: known.names.add(name) })
  }
  return [...byNamespace].flatMap(([namespace, { isWhole, names }]) => {
    const place = namespace === '' ? {} : { namespace }
    return isWhole ? [place] : [...names].map((name) => ({ ...place, name }))
  })
}
