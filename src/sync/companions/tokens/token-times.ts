import { markerPrefix } from '../../../patches/path/reserved.ts'

/** On a Secret with tokens: when to request new ones, as RFC 3339. */
export const refreshAtAnnotation = `${markerPrefix}refresh-at`
/** On a Secret with tokens: when they were requested, as RFC 3339. */
export const issuedAtAnnotation = `${markerPrefix}issued-at`

/** Kubelets take a minute or two to update a Secret in a Pod; the shortest lifetime leaves two. */
const refreshAfter = 0.8

export interface TokenTimes {
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** When a Secret is due, by its token that expires first. Infinity if it contains none. */
export function refreshAtMs(tokens: readonly TokenTimes[]): number {
  return Math.min(
    ...tokens.map(({ issuedAtMs, expiresAtMs }) => issuedAtMs + (expiresAtMs - issuedAtMs) * refreshAfter),
  )
}

/** No API server of Kubernetes grants less. */
const shortestMs = 600_000

/**
 * The times of a token that was just requested. The server's clock may differ, so the requested lifetime counts, unless
 * the server granted less. Whatever it states, a token is not due at once: its Secret would be written without a pause.
 */
export function tokenTimes(askedAtMs: number, seconds: number, expirationTimestamp: unknown): TokenTimes {
  const asked = askedAtMs + seconds * 1000
  const told = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.NaN
  const ends = Number.isNaN(told) ? asked : Math.min(asked, told)
  return { issuedAtMs: askedAtMs, expiresAtMs: Math.max(ends, askedAtMs + shortestMs) }
}
