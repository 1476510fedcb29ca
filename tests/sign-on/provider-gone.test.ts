import { expect, it } from 'vitest'
import { monotonicClock } from '../../src/base/clock.ts'
import { OidcProvider } from '../../src/sign-on/oidc/connector.ts'
import { testClock } from '../support/registry.ts'
import { ScriptedIssuer } from './support/scripted-issuer.ts'

it('no browser is redirected to an unavailable provider, and an available one is checked rarely', async () => {
  const issuer = await ScriptedIssuer.start()
  const clock = testClock()
  const spec = { type: 'oidc' as const, oidc: { issuer: issuer.url, clientId: 'platform', caBundle: issuer.authority } }
  const provider = new OidcProvider({ spec, clientSecret: undefined, clock })
  const begin = () => provider.begin('https://platform.example/auth/callback/corp')
  for (let times = 0; times < 5; times += 1) await begin()
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration'])
  await issuer.stop()
  await begin()
  clock.advance(31_000)
  await expect(begin()).rejects.toMatchObject({ code: 'unavailable' })
  await provider.close()
})

it('sign-ins at an unavailable provider do not all fail in one iteration of the event loop', async () => {
  const issuer = await ScriptedIssuer.start()
  const spec = { type: 'oidc' as const, oidc: { issuer: issuer.url, clientId: 'platform', caBundle: issuer.authority } }
  const provider = new OidcProvider({ spec, clientSecret: undefined, clock: testClock() })
  await issuer.stop()
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  /** As long as all work of one turn may take: nothing else may happen in the same turn. */
  const failed = async () => {
    const endMs = monotonicClock.now() + 6
    while (monotonicClock.now() < endMs);
    return turn
  }
  const begun = Array.from({ length: 20 }, () => provider.begin('https://platform.example/auth/callback/corp'))
  const turns = await Promise.all(begun.map((each) => each.catch(failed)))
  isOver = true
  expect(new Set(turns).size).toBe(20)
  await provider.close()
})
