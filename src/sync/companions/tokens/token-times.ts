import { markerPrefix } from '../../../patches/path/reserved.ts'

/** On a Secret with tokens: when they are asked for anew, as RFC 3339. */
export const refreshAtAnnotation = `${markerPrefix}refresh-at`

/** Kubelets take a minute or two to bring a changed Secret into a Pod; the shortest life leaves two. */
const refreshAfter = 0.8

export interface TokenTimes {
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** When a Secret is due, by the token that ends first. Nothing expires in one that holds none. */
export function refreshAtMs(tokens: readonly TokenTimes[]): number {
  return Math.min(
    ...tokens.map(({ issuedAtMs, expiresAtMs }) => issuedAtMs + (expiresAtMs - issuedAtMs) * refreshAfter),
  )
}

/**
 * What a server said of a token that was asked for now. Its clock may be another: the life that was asked for counts, where
 * it has not given less.
 */
export function tokenTimes(askedAtMs: number, seconds: number, expirationTimestamp: unknown): TokenTimes {
  const asked = askedAtMs + seconds * 1000
  const told = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.NaN
  return { issuedAtMs: askedAtMs, expiresAtMs: Number.isNaN(told) ? asked : Math.min(asked, told) }
}
