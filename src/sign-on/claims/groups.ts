import type { ConnectorSpec } from '../../api/types/management.ts'

const mostGroups = 500
/** Applied before filters, which may leave fewer groups. */
const mostRead = 10_000
const longestGroup = 253
/** Names with a meaning to the platform must never come from outside. */
const ownNames = ['system:', 'platform:']

/**
 * The groups of a user as the platform knows them: filtered, prefixed, and without those that only the platform
 * assigns.
 */
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

/** Also matches spellings that look or compare alike. */
function isOwn(group: string): boolean {
  const plain = group.normalize('NFKC').trim().toLowerCase()
  return ownNames.some((name) => plain.startsWith(name))
}

function passes(group: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => matchesPattern(group, filter))
}

/** `*` matches any characters. Not a regular expression, which could take forever. */
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
