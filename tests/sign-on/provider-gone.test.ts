import { expect, it } from 'vitest'
import { OidcProvider } from '../../src/sign-on/oidc/connector.ts'
import { testClock } from '../support/registry.ts'
import { ScriptedIssuer } from './support/scripted-issuer.ts'

it('no browser is sent to a provider that has gone away since, and one that is there is asked seldom', async () => {
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
