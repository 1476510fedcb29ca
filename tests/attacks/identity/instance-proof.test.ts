import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/auth/keys/values/key-value.ts'
import { mintProof } from '../../../src/auth/proofs/proof-value.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { type Claim, type Dial, dial, proveToBe, refusedFor, registerAs } from '../../link/claims.ts'
import {
  inside,
  instances,
  keptInMemory,
  link,
  startLinkPlatform,
  type TestLink,
  tenantKey,
} from '../../link/support.ts'
import { management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { type EchoApi, startEchoApi } from '../../proxy/echo-api.ts'
import { eventually } from '../../support/eventually.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

describe.each(stores)('a caller with an access key but without the proof, on %s', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let echo: EchoApi
  let directory: string
  let victim: TestLink
  let shared = ''
  let proof = ''

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-proof-'))
    ;[store, echo] = await Promise.all([startStore(kind), startEchoApi()])
    const audit = { file: join(directory, 'audit.log') }
    platform = await startLinkPlatform({ ...store.options, platform: { domain: 'platform.internal', audit } })
    shared = await tenantKey(platform, 'shared')
    const proofs = keptInMemory()
    const { url, authority } = platform.server
    victim = link({ name: 'victim', accessKey: shared, url, authority, virtualApi: echo.virtualApi, proofs })
    await victim.linked()
    proof = proofs.kept?.proof ?? ''
  })

  afterAll(async () => {
    await victim?.stop()
    await platform?.stop()
    await Promise.all([store?.remove(), echo?.stop()])
    await rm(directory, { recursive: true, force: true })
  })

  const claim = (more: Partial<Claim> = {}): Claim => ({ token: shared, name: 'victim', ...more })
  const register = (more: Partial<Claim> = {}) => registerAs(platform, claim(more))
  const dials = (more: Partial<Dial> = {}) => dial(platform, { ...claim(), ...more })
  const someProof = () => mintProof(systemRandom).value
  /** After every attack, the victim is linked, and gets the requests. */
  const victimIsAsked = async () => {
    const before = echo.received.length
    expect((await platform.ask('GET', `${inside('victim')}/api/v1/secrets`)).status).toBe(200)
    expect(echo.received.slice(before).some(({ url }) => url === '/api/v1/secrets')).toBe(true)
    expect(victim.state.state).toBe('linked')
  }

  test('cannot link as a virtual cluster that the key covers', async () => {
    expect(refusedFor(await dials())).toBe('ProofMissing')
    await victimIsAsked()
  })

  test('cannot link with the uid of its Service, which was the former identity', async () => {
    expect(refusedFor(await dials({ headers: { 'Tenant-Service-Uid': 'uid-of-victim' } }))).toBe('ProofMissing')
    await victimIsAsked()
  })

  test('cannot register as it, and is issued no proof', async () => {
    const answer = await register()
    expect(refusedFor(answer)).toBe('ProofMissing')
    expect(answer.text).not.toContain('tpi_')
    await victimIsAsked()
  })

  test.each<[string, () => string]>([
    ['one that was never issued', someProof],
    ['its hash', () => hashKey(proof)],
    ['the access key', () => shared],
    ['it in other letters', () => proof.toLowerCase()],
    ['its beginning', () => proof.slice(0, -1)],
    ['it with something behind', () => `${proof}0`],
    ['its public part', () => proof.slice(0, 16)],
    ['one of 15,000 characters', () => proof.repeat(230)],
  ])('is refused with %s', async (_, shown) => {
    expect(refusedFor(await dials({ proof: shown() }))).toBe('ProofWrong')
    expect(refusedFor(await register({ proof: shown() }))).toBe('ProofWrong')
    await victimIsAsked()
  })

  test('is refused with an empty header', async () => {
    expect(refusedFor(await dials({ proof: '' }))).toBe('ProofMissing')
  })

  test('is refused with several proofs at once, even with the right one among them', async () => {
    const answer = await dials({ headers: { 'tenant-proof': [someProof(), proof] } })
    expect(answer.status).toBe(403)
    await victimIsAsked()
  })

  test('is refused with the proof of another virtual cluster', async () => {
    const own = await proveToBe(platform, claim({ name: 'thief', serviceUid: 'uid-of-thief' }))
    expect(refusedFor(await dials({ proof: own }))).toBe('ProofWrong')
    const answer = await register({ proof: own, serviceUid: 'uid-of-thief' })
    expect(answer.body.status).toMatchObject({ name: 'thief' })
    await victimIsAsked()
  })

  test('is refused without revealing any part of the proof', async () => {
    const shown = someProof()
    const answers = [await dials({ proof: shown }), await register({ proof: shown })]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(shown.slice(17))
  })

  test('is recorded on the virtual cluster, with the key that was used, and counted', async () => {
    for (let times = 0; times < 3; times += 1) await dials()
    await eventually(async () => {
      const { items } = await platform.must('GET', '/api/v1/namespaces/p-default/events')
      const told = items.find((each: { readonly reason: string }) => each.reason === 'ProofMissing')
      expect(told).toMatchObject({
        type: 'Warning',
        involvedObject: { kind: 'VirtualClusterInstance', name: 'victim', namespace: 'p-default' },
        message: expect.stringContaining('access key shared'),
      })
    })
  })

  test('is audited as refused for the proof, without any part of one', async () => {
    await dials({ proof: someProof() })
    await eventually(async () => {
      const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).trim().split('\n')
      const refused = lines.map((line) => JSON.parse(line)).filter(({ layer }) => layer === 'proof')
      expect(refused.at(-1)).toMatchObject({ decision: 'deny', code: 403, key: 'shared', object: { name: 'victim' } })
      expect(lines.join('')).not.toMatch(/tpi_\w{12}_\w/)
    })
  })

  test('changes nothing about a linked virtual cluster, however many attempts there are', async () => {
    const before = (await platform.must('GET', `${instances()}/victim`)).status
    await Promise.all(Array.from({ length: 40 }, () => dials()))
    await Promise.all(Array.from({ length: 40 }, () => register()))
    const { lastHeartbeat: _, ...after } = (await platform.must('GET', `${instances()}/victim`)).status
    expect(before).toMatchObject(after)
    await victimIsAsked()
  })

  test('learns and changes nothing by a dry run', async () => {
    expect(refusedFor(await register({ dryRun: true }))).toBe('ProofMissing')
    const fresh = await register({ name: 'never', dryRun: true })
    expect(fresh.status).toBe(201)
    expect(fresh.text).not.toContain('tpi_')
    expect((await platform.ask('GET', `${instances()}/never`)).status).toBe(404)
  })

  test('cannot use a stolen proof as a token or an access key', async () => {
    expect((await platform.ask('GET', '/apis', { token: proof })).status).toBe(401)
    expect((await dials({ token: proof, proof })).status).toBe(401)
  })

  test('cannot use a stolen proof without a key', async () => {
    expect((await dials({ token: '', proof })).status).toBeGreaterThanOrEqual(401)
    await victimIsAsked()
  })

  test('cannot use a stolen proof with a key that covers another virtual cluster', async () => {
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: ['other'] }] }
    const narrow = await tenantKey(platform, 'narrow', scope)
    expect(refusedFor(await dials({ token: narrow, proof }))).toBe('RoleMissing')
    expect((await register({ token: narrow, name: 'other', proof })).status).toBe(403)
    await victimIsAsked()
  })

  test('cannot use a stolen proof with a key without the role', async () => {
    const all = await tenantKey(platform, 'all-but-the-role', {})
    expect(refusedFor(await dials({ token: all, proof }))).toBe('RoleMissing')
  })

  test('cannot use a stolen proof with the key of a user who has no rights there', async () => {
    await platform.must('POST', `${management}/users`, userNamed('nobody'))
    const scope = { roles: [{ role: 'tenant', projects: ['*'] }] }
    const token = await platform.keyOf('nobody', { scope })
    expect((await dials({ token, proof })).status).toBe(403)
    expect((await register({ token, proof })).status).toBe(403)
  })

  test("cannot lure another virtual cluster to its own name with the other's uid", async () => {
    await register({ name: 'bait', serviceUid: 'uid-of-late' })
    const late = await register({ name: 'late', serviceUid: 'uid-of-late' })
    expect(late.body.status.name).toBe('late')
  })

  test('loses an issued proof once another has proven its identity', async () => {
    const [his, theirs] = [await register({ name: 'raced' }), await register({ name: 'raced' })]
    const [lost, kept] = [his.body.status.proof, theirs.body.status.proof]
    expect((await register({ name: 'raced', proof: kept })).status).toBe(201)
    expect(refusedFor(await register({ name: 'raced', proof: lost }))).toBe('ProofWrong')
    expect(refusedFor(await dials({ name: 'raced', proof: lost }))).toBe('ProofWrong')
  })

  test('wins at most once if several prove the same identity at the same time', async () => {
    const issued = await Promise.all(Array.from({ length: 4 }, () => register({ name: 'crowd' })))
    const proofs = issued.map(({ body }) => body.status.proof)
    const answers = await Promise.all(proofs.map((each) => register({ name: 'crowd', proof: each })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const again = await Promise.all(proofs.map((each) => register({ name: 'crowd', proof: each })))
    expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status))
  })

  test('gets a derived name if the requested name is taken', async () => {
    const { body } = await register({ serviceUid: 'uid-of-another' })
    expect(body.status.name).toMatch(/^victim-[0-9a-z]{5}$/)
    expect(refusedFor(await dials({ proof: body.status.proof }))).toBe('ProofWrong')
    await victimIsAsked()
  })

  test('does not unlink it with a new link', async () => {
    for (const process of ['tenant-0', 'tenant-1', '']) await dials({ process })
    await victimIsAsked()
  })
})
