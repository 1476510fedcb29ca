import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { type FaultyStore, faultyStore } from '../platform/faulty-store.ts'
import { keysPath } from '../platform/platform.ts'
import { eventually } from '../support/eventually.ts'
import { openStage, type SignedIn, type Stage } from './support/stage.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const path = '/auth/backchannel-logout/corp'
type Claims = Readonly<Record<string, unknown>>

let stage: Stage
let directory: string
let faulty: FaultyStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-logout-'))
  faulty = faultyStore(await openLmdbStore({ directory }), 'delete')
  stage = await openStage({}, { store: faulty.store })
  await stage.connect('corp')
  await stage.connect('other', {}, { clientId: 'another-client' })
}, 240_000)
afterAll(async () => {
  await stage.stop()
  await faulty.store.close()
  await rm(directory, { recursive: true })
})
beforeEach(() => {
  stage.issuer.script = {}
})

const nowSeconds = () => Math.floor(Date.now() / 1000)
const right = (): Claims => ({
  iss: stage.issuer.url,
  aud: 'platform',
  sub: 'subject-1',
  iat: nowSeconds(),
  exp: nowSeconds() + 120,
  jti: randomUUID(),
  events: { [event]: {} },
})
const token = (claims: Claims = {}, header: Claims = { typ: 'logout+jwt' }) =>
  stage.issuer.sign({ ...right(), ...claims }, header)
const tell = (logoutToken: string, to = path) =>
  stage.browser().form(to, { logout_token: logoutToken }, { 'content-type': 'application/x-www-form-urlencoded' })

async function signedIn(sid: string): Promise<SignedIn> {
  stage.issuer.script = { claims: { sid } }
  const signed = await stage.signIn('corp')
  stage.issuer.script = {}
  return signed
}

/** The headers that the page sends. */
const headersOf = ({ browser, headers }: SignedIn) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { ...headers, cookie }
}
const statusOf = async ({ browser, headers }: SignedIn) => (await browser.visit(keysPath, headers)).status

describe('a provider that reports a sign-out', () => {
  it('ends the named session, with its open connections, and no other', async () => {
    const [one, two] = [await signedIn('s1'), await signedIn('s2')]
    const watch = await stage.platform.watch(`${keysPath}?watch=true`, '', headersOf(one))
    expect(watch.status).toBe(200)
    const { status } = await tell(await token({ sid: 's1' }))
    expect(status).toBe(200)
    await watch.ended
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
    expect((await tell(await token())).status).toBe(200)
    expect(await statusOf(two)).toBe(401)
  })

  it('can repeat a failed report', async () => {
    const session = await signedIn('s1')
    const told = await token({ sid: 's1' })
    faulty.mode = 'fails'
    expect((await tell(told)).status).toBe(500)
    faulty.mode = 'works'
    expect((await tell(told)).status).toBe(200)
    expect(await statusOf(session)).toBe(401)
  })

  it('ends no other session, even if the key was renamed since', async () => {
    const [one, two] = [await signedIn('s1'), await signedIn('s2')]
    const { keyName } = JSON.parse(two.session.text)
    const body = { spec: { displayName: 'Another name' } }
    const type = 'application/merge-patch+json'
    expect((await stage.platform.ask('PATCH', `${keysPath}/${keyName}`, { body, type })).status).toBe(200)
    expect((await tell(await token({ sid: 's1' }))).status).toBe(200)
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
  })

  it('ends only those of its own user and connector', async () => {
    const session = await signedIn('s1')
    expect((await tell(await token({ sub: 'subject-2' }))).status).toBe(200)
    expect((await tell(await token({ aud: 'another-client' }), '/auth/backchannel-logout/other')).status).toBe(200)
    expect(await statusOf(session)).toBe(200)
  })

  it('is verified with keys that it has rotated to since', async () => {
    await stage.issuer.rotateKeys()
    const session = await signedIn('s1')
    // An unknown key is fetched every two seconds at most.
    await eventually(async () => expect((await tell(await token({ sid: 's1' }))).status).toBe(200))
    expect(await statusOf(session)).toBe(401)
  })

  it('is asked to report it again while its keys cannot be read', async () => {
    await stage.issuer.rotateKeys()
    stage.issuer.script = { jwks: {} }
    const told = await token()
    await eventually(async () => expect((await tell(told)).status).toBe(503))
    stage.issuer.script = {}
    await eventually(async () => expect((await tell(told)).status).toBe(200))
  })
})

describe('a report of a sign-out is refused with', () => {
  const forged: readonly (readonly [string, () => Promise<string>])[] = [
    ['an ID token', () => stage.issuer.sign(stage.issuer.claimsFor('n'))],
    ['one with a nonce', () => token({ nonce: 'n' })],
    ['one without events', () => token({ events: undefined })],
    ['one of another event', () => token({ events: { 'http://example.com/event': {} } })],
    ['one whose event is not an object', () => token({ events: { [event]: true } })],
    ['one for another audience', () => token({ aud: 'another-client' })],
    ['one of another issuer', () => token({ iss: 'https://evil.example.com' })],
    ['an expired one', () => token({ iat: nowSeconds() - 1_200, exp: nowSeconds() - 900 })],
    ['an old one without an expiry', () => token({ iat: nowSeconds() - 1_200, exp: undefined })],
    ['one without iat', () => token({ iat: undefined })],
    ['one without jti', () => token({ jti: undefined })],
    ['one with only a session', () => token({ sub: undefined, sid: 's1' })],
    ['one whose user is not a string', () => token({ sub: { $ne: '' } })],
    ['one of another type', () => token({}, { typ: 'at+jwt' })],
    [
      'one signed with the public key as a secret',
      () => stage.issuer.sign(right(), { alg: 'HS256' }, Buffer.from(JSON.stringify(stage.issuer.keys.jwk))),
    ],
    [
      'an unsigned one',
      async () => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
        return `${part({ alg: 'none', typ: 'logout+jwt' })}.${part(right())}.`
      },
    ],
    ['no token', async () => 'hello'],
  ]

  it.each(forged)('%s', async (_, make) => {
    const session = await signedIn('s1')
    const { status, text } = await tell(await make())
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'invalid_request' }])
    expect(await statusOf(session)).toBe(200)
  })

  it('a token that was used before', async () => {
    const twice = await token({ sid: 's1' })
    expect((await tell(twice)).status).toBe(200)
    const session = await signedIn('s1')
    expect((await tell(twice)).status).toBe(400)
    expect(await statusOf(session)).toBe(200)
  })

  it('a token that arrives in another way, for no connector, or is too large', async () => {
    expect((await stage.browser().visit(path)).status).toBe(405)
    expect((await tell(await token(), '/auth/backchannel-logout/none')).status).toBe(400)
    expect((await tell('a'.repeat(40_000))).status).toBe(413)
  })
})

describe('groups that do not fit into a token of Entra', () => {
  const overage = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://evil.example.com' } },
  }
  const groupsOf = async ({ session }: SignedIn) => {
    const { keyName } = JSON.parse(session.text)
    return (await stage.platform.must('GET', `${keysPath}/${keyName}`)).spec.identity.groups ?? []
  }
  const connected = (name: string) => stage.connect(name, {}, { graphUrl: `${stage.issuer.url}/graph` })

  it('are requested page by page, only at the address of the connector', async () => {
    await connected('entra')
    stage.issuer.script = { claims: overage, graph: [['a', 'b'], ['c']] }
    expect(await groupsOf(await stage.signIn('entra'))).toEqual(['a', 'b', 'c'])
    stage.issuer.script = { claims: { hasgroups: true }, graph: [['d']] }
    expect(await groupsOf(await stage.signIn('entra'))).toEqual(['d'])
  })

  it('are not requested if the token has them, or the connector has no address for them', async () => {
    stage.issuer.script = { claims: { ...overage, groups: ['own'] }, graph: [['a']] }
    expect(await groupsOf(await stage.signIn('entra'))).toEqual(['own'])
    stage.issuer.script = { claims: overage, graph: [['a']] }
    expect(await groupsOf(await stage.signIn('corp'))).toEqual([])
  })

  it('are limited, however many pages there are', async () => {
    const asked = () => stage.issuer.requests.filter((request) => request.startsWith('/graph/')).length
    const before = asked()
    stage.issuer.script = { claims: overage, graph: Array.from({ length: 50 }, (_, page) => [`g${page}`]) }
    expect(await groupsOf(await stage.signIn('entra'))).toHaveLength(6)
    expect(asked() - before).toBe(6)
  })

  it.each([
    [403, 500],
    [500, 503],
  ])('end the sign-in when they cannot be read: %d', async (graph, answered) => {
    stage.issuer.script = { claims: overage, graph }
    expect((await stage.signIn('entra')).callback.status).toBe(answered)
  })
})
