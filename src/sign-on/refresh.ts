import type { RefreshedIdentity, RefreshIdentity } from '../auth/signed-on.ts'
import { requireAllowed } from './allow-list.ts'
import type { Connectors } from './connectors.ts'
import { SignOnFailure } from './failure.ts'
import { withSealedData } from './sealed-data.ts'
import { openText } from './sealing.ts'

export interface RefreshParts {
  readonly connectors: Connectors
  readonly sealingKey: () => Promise<Uint8Array>
}

/** Asks the provider about a user again. By a connector that is switched off or gone none is asked, and sessions go on. */
export function createRefresh({ connectors, sealingKey }: RefreshParts): RefreshIdentity {
  return async (signedOn, signal) => {
    const known = connectors.find(signedOn.connector)
    if (known === undefined || known.spec.disabled === true) return unknown('the connector is switched off or gone')
    const key = await sealingKey()
    const data = await openText(signedOn.connectorData ?? '', key)
    if (data === undefined) return unknown('nothing is kept to ask the provider with')
    try {
      const connector = await connectors.open(known)
      const identity = await connector.refresh(signedOn, data, signal)
      requireAllowed(identity, known.spec)
      return { outcome: 'confirmed', signedOn: await withSealedData({ ...identity, connector: known.name }, key) }
    } catch (error) {
      return outcomeOf(error)
    }
  }
}

/** What these say is that the provider could not be asked, or that its answer is not to be believed. */
const nothingKnown: ReadonlySet<SignOnFailure['code']> = new Set(['unavailable', 'misconfigured', 'untrusted'])

function outcomeOf(error: unknown): RefreshedIdentity {
  if (!(error instanceof SignOnFailure)) throw error
  const { code, message: reason } = error
  return nothingKnown.has(code) ? unknown(reason) : { outcome: 'ended', reason }
}

function unknown(reason: string): RefreshedIdentity {
  return { outcome: 'unknown', reason }
}
