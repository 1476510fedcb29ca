import type { PathElement } from './path.ts'
import type { ParsedJson } from './precise.ts'
import { inexactNumber, isKept } from './scalar.ts'

/** Members that hold doubles: integers in them are rounded. */
export interface Doubles {
  readonly names: ReadonlySet<string>
  /** Members below which these names have no special meaning. */
  readonly outside: ReadonlySet<string>
}

const noDoubles: Doubles = { names: new Set(), outside: new Set() }

/** Replaces all bigints by numbers. Throws JsonSyntaxError, with the path, for an integer that a double would change. */
export function withoutLarge({ hasLarge, ...parsed }: ParsedJson, doubles = noDoubles): ParsedJson {
  return hasLarge === true ? { ...parsed, value: numbersOnly(parsed.value, [], doubles) } : parsed
}

function numbersOnly(value: unknown, path: readonly PathElement[], doubles: Doubles): unknown {
  if (typeof value === 'bigint') return numberOf(value, path, doubles)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, at) => numbersOnly(item, [...path, at], doubles))
  const members = Object.entries(value).map(([name, member]) => [
    name,
    numbersOnly(member, [...path, name], doubles.outside.has(name) ? noDoubles : doubles),
  ])
  return Object.fromEntries(members)
}

function numberOf(value: bigint, path: readonly PathElement[], { names }: Doubles): number {
  const text = String(value)
  const number = Number(value)
  if (isKept(text, number) || names.has(String(path.at(-1)))) return number
  throw inexactNumber(text, true, [...path])
}
