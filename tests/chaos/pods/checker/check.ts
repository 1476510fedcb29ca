import type { Account } from './account.ts'
import { foreignTouched } from './foreign.ts'
import { madeUp, runTwice, twoAtOnce } from './lives.ts'
import { wrongReferences } from './referred.ts'
import { badTokens } from './tokens.ts'

const rules = [foreignTouched, runTwice, twoAtOnce, madeUp, wrongReferences, badTokens]

/** Everything that must never happen, at any moment; each violation once. */
export function check(account: Account): readonly string[] {
  return [...new Set(rules.flatMap((rule) => rule(account)))]
}
