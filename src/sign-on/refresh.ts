import type { RefreshedIdentity, RefreshIdentity } from '../auth/signed-on.ts'
import type { Log } from '../base/log.ts'
import { requireAllowed } from './allow-list.ts'
import type { Connectors } from './connectors.ts'
import { SignOnFailure } from './failure.ts'
import { openText, sealText } from './stored/sealing.ts'

export interface RefreshParts {
  readonly connectors: Connectors
  readonly sealingKey: () => Promise<Uint8Array>
  readonly log: Log
}

/**
 * Asks the provider about a user again. If the connector is disabled or deleted, nothing is asked, and sessions
 * continue.
 */
export function createRefresh({ connectors, sealingKey, log }: RefreshParts): RefreshIdentity {
  return async (signedOn, keep) => {
    const { connector: name, userId } = signedOn
    const known = connectors.find(name)
    if (known === undefined || known.spec.disabled === true) return away('the connector is switched off or gone')
    const key = await sealingKey()
    const connectorData = await openText(signedOn.connectorData ?? '', key)
    if (connectorData === undefined) return { outcome: 'unknown', reason: 'nothing is kept to ask the provider with' }
    try {
      const connector = await connectors.open(known)
      const keepSealed = async (data: string) => keep(await sealText(data, key))
      const identity = await connector.refresh(signedOn, { connectorData, keep: keepSealed })
      requireAllowed(identity, known.spec)
      return { outcome: 'confirmed', signedOn: { ...identity, connector: name } }
    } catch (error) {
      const refreshed = outcomeOf(error)
      const { outcome, reason } = refreshed
      log.warn('a user who is signed in was not confirmed', { connector: name, userId, outcome, reason })
      return refreshed
    }
  }
}

function outcomeOf(error: unknown): Exclude<RefreshedIdentity, { outcome: 'confirmed' }> {
  if (!(error instanceof SignOnFailure)) throw error
  const { code, message: reason } = error
  if (code === 'unavailable' || code === 'misconfigured') return away(reason)
  // What a provider says about one user must not keep the platform from asking about the others.
  if (code === 'untrusted' || code === 'unreadable') return { outcome: 'unknown', reason }
  return { outcome: 'ended', reason, hasLeft: code === 'not-allowed' }
}

function away(reason: string): { readonly outcome: 'away'; readonly reason: string } {
  return { outcome: 'away', reason }
}
