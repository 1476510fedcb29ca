import type { JsonObject } from '../../api/object.ts'
import { claimAt } from './claim-path.ts'

const longestClaims = 4_096

/**
 * As many claims as fit, shortest first. A claim that is too long is omitted: a user who can write one must not be able
 * to keep the platform from reading the others.
 */
export function keptClaims(claims: Readonly<Record<string, unknown>>, names: readonly string[]): JsonObject {
  const found = names
    .map((name) => ({ name, text: JSON.stringify(claimAt(claims, name)) ?? '' }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.text.length - b.text.length)
  let left = longestClaims
  const kept = found.filter(({ name, text }) => {
    left -= name.length + text.length
    return left >= 0
  })
  return Object.fromEntries(kept.map(({ name, text }) => [name, JSON.parse(text)]))
}
