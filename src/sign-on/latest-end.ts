import type { ConnectorSpec } from '../api/types/management.ts'
import type { ProviderIdentity } from './contract.ts'

/** A day's work: nothing is heard of the user from the provider in between. */
const unconfirmedSeconds = 12 * 3600

/**
 * When a user has to sign in at the provider again, whatever is done here. Undefined: nothing but the longest life of any
 * session counts, since the provider is asked about the user meanwhile.
 */
export function latestEndOf(
  { connectorData, latestEndMs: toldMs }: Pick<ProviderIdentity, 'connectorData' | 'latestEndMs'>,
  { sessionSeconds }: Pick<ConnectorSpec, 'sessionSeconds'>,
  nowMs: number,
): number | undefined {
  const seconds = sessionSeconds ?? (connectorData === undefined ? unconfirmedSeconds : undefined)
  if (seconds === undefined) return toldMs
  const ownMs = nowMs + seconds * 1000
  return toldMs === undefined ? ownMs : Math.min(ownMs, toldMs)
}
