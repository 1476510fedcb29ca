import type { ConnectorSpec } from '../api/types/management.ts'
import type { ProviderIdentity } from './contract.ts'

/** A working day: the provider says nothing about the user in between. */
const unconfirmedSeconds = 12 * 3600

/**
 * When a user must sign in at the provider again, whatever happens here. Undefined: only the maximum lifetime of
 * sessions applies, since the provider is asked about the user meanwhile.
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
