import type { ConnectorSpec } from '../api/types/management.ts'

const mostGroups = 500
/** Filters come after: of those that count there may be fewer. */
const mostRead = 10_000
const longestGroup = 253
/** Names that mean something to the platform come from nowhere outside. */
const ownNames = ['system:', 'platform:']

/** The groups of a user as the platform knows them: filtered, with their prefix, and none that only the platform gives. */
export function groupsFrom(claim: unknown, prefix: string, { groupFilters = [] }: ConnectorSpec): readonly string[] {
  const told = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim.slice(0, mostRead) : []
  const counting = told.filter(
    (group): group is string => typeof group === 'string' && isGroup(group) && passes(group, groupFilters),
  )
  const named = counting.map((group) => prefix + group).filter((group) => !isOwn(group))
  return [...new Set(named)].slice(0, mostGroups)
}

function isGroup(group: string): boolean {
  return group !== '' && group.length <= longestGroup && !/\p{C}/u.test(group)
}

/** Also under a spelling that looks or compares alike. */
function isOwn(group: string): boolean {
  const plain = group.normalize('NFKC').trim().toLowerCase()
  return ownNames.some((name) => plain.startsWith(name))
}

function passes(group: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => matchesPattern(group, filter))
}

/** `*` stands for any characters. Not a regular expression: those can take forever. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  if (!text.startsWith(start)) return false
  const end = rest.pop()
  if (end === undefined) return text === start
  let position = start.length
  for (const piece of rest) {
    const found = text.indexOf(piece, position)
    if (found < 0) return false
    position = found + piece.length
  }
  return text.length - end.length >= position && text.endsWith(end)
}
