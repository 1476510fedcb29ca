import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLazyKeyIndex } from '../../src/auth/keys/index/key-index.ts'
import { EventWriter } from '../../src/platform/access-keys/life/event-writer.ts'
import { retention } from '../../src/platform/access-keys/life/retention.ts'
import { defaultKeySettings } from '../../src/platform/access-keys/parts.ts'
import { feedKeys } from '../../src/platform/access-keys/record/key-feed.ts'
import { readKeyRecord } from '../../src/platform/access-keys/record/key-record.ts'
import { KeysByOwner } from '../../src/platform/access-keys/record/keys-by-owner.ts'
import { Directory } from '../../src/platform/owners/directory.ts'
import { platformRequest } from '../../src/platform/platform-user.ts'
import { sealedBytes, toStoredBytes } from '../../src/registry/document.ts'
import { Ledger } from '../../src/registry/quota/ledger.ts'
import { createObject } from '../../src/registry/verbs/create.ts'
import { eventually } from '../support/eventually.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
const daySeconds = 86_400
const merge = 'application/merge-patch+json'
const failures: unknown[] = []

beforeAll(async () => {
  platform = await startPlatform()
  await platform.must('POST', `${management}/users`, userNamed('ann'))
})

afterAll(() => platform.stop())

const context = (kind: string, of = group) => {
  const found = platform.server.engine.registry.engine.find(of, kind)
  if (found === undefined) throw new Error(`${kind} is served`)
  return found
}
const make = async (name: string, spec: object = {}) =>
  (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann', ...spec } })).spec.key as string
const eventsOf = async (name: string) => {
  const query = `?fieldSelector=involvedObject.name=${name}`
  const { items } = await platform.must('GET', `/api/v1/namespaces/default/events${query}`)
  return items.map(({ reason }: { reason: string }) => reason).sort()
}

describe('events of a key', () => {
  it('report its life, each event once', async () => {
    const token = await make('told', { ttl: 1000 })
    const patch = (spec: object) => platform.ask('PATCH', `${keysPath}/told`, { body: { spec }, type: merge })
    for (let round = 0; round < 3; round++) await platform.ask('GET', keysPath, { token })
    await eventually(async () => expect(await eventsOf('told')).toContain('FirstUsed'))
    await patch({ disabled: true })
    await patch({ disabled: false })
    await platform.must('POST', `${keysPath}/told/rotate`, {})
    platform.clock.advance(1_001_000)
    await eventually(async () =>
      expect(await eventsOf('told')).toEqual(['Created', 'Disabled', 'Enabled', 'Expired', 'FirstUsed', 'Rotated']),
    )
  })

  it('warn once in the last tenth of its life, and not before', async () => {
    await make('ending', { ttl: 1000 })
    const [keys, events] = [context('OwnedAccessKey'), context('Event', '')]
    const index = createLazyKeyIndex({ compileScope: () => undefined }, readKeyRecord)
    const [keysByOwner, directory, settings] = [new KeysByOwner(), new Directory(), defaultKeySettings]
    const ledger = new Ledger({ objects: 10, bytes: 100_000 })
    const stop = feedKeys(keys.cache, { index, keysByOwner, ledger, directory, settings, onStale: () => {} })
    platform.clock.advance(890_000)
    index.takeExpired(platform.clock.now())
    expect(index.takeNearEnds().map(({ name }) => name)).not.toContain('ending')
    const writer = new EventWriter(keys, events, index, (_, __, error) => failures.push(error), 5)
    platform.clock.advance(20_000)
    index.takeExpired(platform.clock.now())
    await eventually(async () => expect(await eventsOf('ending')).toContain('ExpiringSoon'))
    platform.clock.advance(10_000)
    index.takeExpired(platform.clock.now())
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await eventsOf('ending')).filter((reason: string) => reason === 'ExpiringSoon')).toHaveLength(1)
    await writer.stop()
    stop()
    expect(failures).toEqual([])
  })
})

describe('the record of an expired key', () => {
  it('is deleted after its retention time, and that of a valid key stays', async () => {
    await make('old', { ttl: 60 })
    await make('young')
    platform.clock.advance(61_000)
    await eventually(async () => expect((await platform.must('GET', `${keysPath}/old`)).status.phase).toBe('Expired'))
    const expiry = retention(context('OwnedAccessKey'), daySeconds, (_, __, error) => failures.push(error))
    platform.clock.advance((daySeconds - 2) * 1000)
    await expiry.sweep()
    expect((await platform.ask('GET', `${keysPath}/old`)).status).toBe(200)
    platform.clock.advance(3000)
    await expiry.sweep()
    expect((await platform.ask('GET', `${keysPath}/old`)).status).toBe(404)
    expect((await platform.ask('GET', `${keysPath}/young`)).status).toBe(200)
    await expiry.stop()
    expect(failures).toEqual([])
  })
})

describe('what single sign-on keeps with a key', () => {
  const secrets = { connectorData: 'c2VjcmV0LWNvbm5lY3Rvcg', idToken: 'id-secret', refreshToken: 'refresh-secret' }
  const object = {
    apiVersion: `${group}/v1`,
    kind: 'OwnedAccessKey',
    metadata: { name: 'sso' },
    spec: {
      user: 'ann',
      type: 'Login',
      identity: { userId: 'u1', connectorData: secrets.connectorData, connector: 'github' },
      oidcLogin: { idToken: secrets.idToken, refreshToken: secrets.refreshToken },
    },
  }

  it('is stored by the platform, sealed, and never shown', async () => {
    const keys = context('OwnedAccessKey')
    const request = platformRequest('single-sign-on', new AbortController().signal)
    await createObject(keys, { namespace: '' }, { value: object, duplicateFields: [], text: '' }, request)
    const shown = await platform.ask('GET', `${keysPath}/sso`)
    expect(shown.body.spec.identity).toMatchObject({ userId: 'u1', connector: 'github' })
    for (const secret of Object.values(secrets)) expect(shown.text).not.toContain(secret)
    const document = keys.cache.get({ namespace: '', name: 'sso' })
    for (const secret of Object.values(secrets)) expect(document?.itemJson.toString()).not.toContain(secret)
    expect(document?.sealed?.toString()).toContain(secrets.connectorData)
    expect(document?.sealed?.toString()).not.toContain(secrets.refreshToken)
    expect(shown.body.spec.oidcLogin).toBeUndefined()
  })

  it('stays when a client writes back an earlier state, and cannot be changed by the client', async () => {
    const read = await platform.must('GET', `${keysPath}/sso`)
    const put = await platform.ask('PUT', `${keysPath}/sso`, {
      body: { ...read, spec: { ...read.spec, displayName: 'mine' } },
    })
    expect(put.status).toBe(200)
    const document = context('OwnedAccessKey').cache.get({ namespace: '', name: 'sso' })
    expect(document?.sealed?.toString()).toContain(secrets.connectorData)
    const changed = await platform.ask('PATCH', `${keysPath}/sso`, {
      body: { spec: { identity: { connectorData: 'mine' } } },
      type: merge,
    })
    expect(changed.status).toBe(422)
  })

  it('of an earlier form is readable, equals identity, and is never written again', async () => {
    const keys = context('OwnedAccessKey')
    const claims = {
      sub: 'u2',
      preferred_username: 'ann',
      email: 'ann@example.com',
      email_verified: true,
      groups: ['g'],
    }
    const idToken = ['{"alg":"RS256"}', JSON.stringify(claims), 'signature']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    const old = {
      apiVersion: `${group}/v1`,
      kind: 'OwnedAccessKey',
      metadata: { name: 'old-login', uid: 'u-old', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: {
        user: 'ann',
        type: 'User',
        identity: { username: 'Ann' },
        oidcLogin: { lastRefresh: '2026-01-01T00:00:00Z' },
      },
      status: { keyId: 'abcdefghijkl' },
    }
    const sealed = { hash: 'h'.repeat(43), issuedAtMs: 0, oidcTokens: { idToken, refreshToken: 'old-refresh' } }
    const id = { namespace: '', name: 'old-login' }
    const bytes = toStoredBytes(keys.kind, old, sealedBytes(sealed))
    await keys.engine.store.create(keys.cache.storageKey(id), bytes)
    const identity = {
      userId: 'u2',
      username: 'Ann',
      email: 'ann@example.com',
      emailVerified: true,
      groups: ['g'],
      identityRefresh: '2026-01-01T00:00:00Z',
    }
    const path = `${keysPath}/old-login`
    await eventually(async () => expect((await platform.ask('GET', path)).status).toBe(200))
    const read = await platform.must('GET', path)
    expect(read.spec).toMatchObject({ identity, oidcLogin: { lastRefresh: '2026-01-01T00:00:00Z' } })
    expect(JSON.stringify(read)).not.toContain(idToken)

    const named = { ...read, spec: { ...read.spec, displayName: 'mine' } }
    expect((await platform.ask('PUT', path, { body: named })).status).toBe(200)
    expect((await platform.must('GET', path)).spec).toMatchObject({ identity, displayName: 'mine', oidcLogin: {} })
    expect(keys.cache.get(id)?.sealed?.toString()).toContain('old-refresh')
    const forged = { ...named, spec: { ...named.spec, oidcLogin: { refreshToken: 'mine' } } }
    expect((await platform.ask('PUT', path, { body: forged })).status).not.toBe(200)
  })
})
