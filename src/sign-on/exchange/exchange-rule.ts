import type { ExchangeRule } from '../../api/types/management.ts'
import { claimAt } from '../claims/claim-path.ts'
import { matchesPattern } from '../claims/groups.ts'

type Claims = Readonly<Record<string, unknown>>

/** The first rule that matches a token. */
export function ruleFor(claims: Claims, rules: readonly ExchangeRule[]): ExchangeRule | undefined {
  return rules.find((rule) => {
    const wanted = Object.entries(rule.claims ?? {})
    return wanted.length > 0 && wanted.every(([path, pattern]) => fits(claimAt(claims, path), pattern))
  })
}

/** One of several values is enough. Objects match nothing. */
function fits(value: unknown, pattern: string): boolean {
  if (Array.isArray(value)) return value.some((each) => typeof each === 'string' && matchesPattern(each, pattern))
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isPlain && matchesPattern(String(value), pattern)
}
