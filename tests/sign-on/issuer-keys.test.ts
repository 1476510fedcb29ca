import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { IssuerKeys } from '../../src/sign-on/exchange/issuer-keys.ts'
import { ScriptedIssuer } from './support/scripted-issuer.ts'

const dayMs = 24 * 3600 * 1000

let issuer: ScriptedIssuer
beforeAll(async () => {
  issuer = await ScriptedIssuer.start()
})
afterAll(() => issuer.stop())
beforeEach(() => {
  issuer.script = {}
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

function keysOfIssuer(): IssuerKeys {
  const keys = new IssuerKeys({ issuer: issuer.url, caBundle: issuer.authority }, systemClock)
  onTestFinished(() => keys.close())
  return keys
}

const tokenOf = () => issuer.sign({ sub: 'a' })
const outcomeOf = (token: string, { keyOf }: IssuerKeys) =>
  jwtVerify(token, keyOf).then(
    () => 'verified',
    ({ code, message }: { code?: string; message: string }) => code ?? message,
  )
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

it('are found where the issuer keeps them by then', async () => {
  const keys = keysOfIssuer()
  expect(await outcomeOf(await tokenOf(), keys)).toBe('verified')
  issuer.script = { keysAt: '/moved' }
  await issuer.rotateKeys()
  pass(2_000)
  expect(await outcomeOf(await tokenOf(), keys)).toBe('verified')
})

it('are read again in time, and a missing one at once, if the clock was set back meanwhile', async () => {
  const keys = keysOfIssuer()
  const old = await tokenOf()
  expect(await outcomeOf(old, keys)).toBe('verified')
  pass(-dayMs)
  expect(await outcomeOf(old, keys)).toBe('verified')
  pass(2_000)
  await issuer.rotateKeys()
  expect(await outcomeOf(await tokenOf(), keys)).toBe('verified')
  expect(await outcomeOf(old, keys)).toBe('ERR_JWKS_NO_MATCHING_KEY')
})

it('are used while the issuer cannot be asked about an unknown one, and then no longer than ten minutes', async () => {
  const keys = keysOfIssuer()
  const good = await tokenOf()
  const unknown = await issuer.sign({ sub: 'a' }, { kid: 'unknown' })
  expect(await outcomeOf(good, keys)).toBe('verified')
  issuer.script = { jwks: {} }
  pass(2_000)
  expect(await outcomeOf(unknown, keys)).toContain('holds no set of keys')
  expect(await outcomeOf(good, keys)).toBe('verified')
  pass(10 * 60_000)
  expect(await outcomeOf(good, keys)).toContain('holds no set of keys')
  issuer.script = {}
  pass(2_000)
  expect(await outcomeOf(good, keys)).toBe('verified')
})

it('are asked for once by many, and not again at once after a failure', async () => {
  const keys = keysOfIssuer()
  issuer.script = { jwks: {} }
  issuer.requests.length = 0
  const token = await tokenOf()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(token, keys)))
  for (const outcome of [...outcomes, await outcomeOf(token, keys)]) expect(outcome).toContain('holds no set of keys')
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
})
