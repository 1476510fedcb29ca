import { expect, it } from 'vitest'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { TokenExchange } from '../../src/sign-on/exchange/token-exchange.ts'
import { watchedLog } from '../support/canary/watched-log.ts'
import { startRegistry } from '../support/registry.ts'

it('the networks of one customer share a limit for token exchanges, and others do not', async () => {
  const kinds = managementKinds('platform.internal').filter(({ kind }) => kind === 'TrustedIssuer')
  const { registry, store, clock, stop } = await startRegistry(kinds)
  try {
    const [issuers] = registry.contexts()
    if (issuers === undefined) throw new Error('TrustedIssuers are not served.')
    const tokens = new TokenExchange({ issuers: () => issuers, store, clock, log: watchedLog() })
    const outcomeFrom = async (address: string) => (await tokens.exchange('none', address)).outcome
    for (let network = 0; network < 300; network += 1) {
      expect(await outcomeFrom(`2001:db8:1:${network.toString(16)}::1`)).toBe('refused')
    }
    expect(await outcomeFrom('2001:db8:1:ffff::1')).toBe('too-many')
    expect(await outcomeFrom('2001:db8:2::1')).toBe('refused')
  } finally {
    await stop()
  }
})
