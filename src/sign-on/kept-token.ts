import { SignOnFailure } from './failure.ts'

/** Providers send a few kilobytes. Every session keeps its token, in the store and in memory. */
export const longestKeptToken = 16 * 1024

/** Throws for a token that is too long to be kept for as long as a session lasts. */
export function requireKeptToken(token: string): void {
  if (token.length <= longestKeptToken) return
  const limit = `the most that is kept is ${longestKeptToken}`
  throw new SignOnFailure('untrusted', `the provider sent a token of ${token.length} characters; ${limit}`)
}
