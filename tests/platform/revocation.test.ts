import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnceMs } from '../support/at-once.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { eventually } from '../support/eventually.ts'
import { grant, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
const merge = 'application/merge-patch+json'
const scope = { rules: [{ resources: [{ group: '', resources: ['configmaps'] }] }] }
const narrower = { rules: [{ verbs: ['get'], resources: [{ group: '', resources: ['configmaps'] }] }] }
const watchPath = '/api/v1/configmaps?watch=true'

beforeAll(async () => {
  platform = await startPlatform()
})

afterAll(() => platform.stop())

let users = 0

/** A new user who may watch ConfigMaps, with a key and a watch that it opened. */
async function watching(spec: object = {}) {
  users += 1
  const user = `watcher-${users}`
  await platform.must('POST', `${management}/users`, userNamed(user))
  await grant(platform, user, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }])
  const body = { metadata: { name: `${user}-key` }, spec: { user, ...spec } }
  const made = await platform.must('POST', keysPath, body)
  const token: string = made.spec.key
  const watch = await platform.watch(watchPath, token)
  expect(watch.status).toBe(200)
  return { user, token, watch, path: `${keysPath}/${user}-key` }
}

const patch = (path: string, body: object) => platform.ask('PATCH', path, { body, type: merge })
const use = (token: string) => platform.ask('GET', '/api/v1/configmaps', { token })
const cut = (ended: Promise<void>) =>
  Promise.race([
    ended.then(() => 'cut'),
    new Promise((resolve) => {
      setTimeout(() => resolve('still open'), atOnceMs)
    }),
  ])

describe('a revoked key is refused by the next request, and its watch is cut at once', () => {
  it('when it is disabled, until it is enabled again', async () => {
    const { token, watch, path } = await watching()
    await patch(path, { spec: { disabled: true } })
    expect(await use(token)).toMatchObject({
      status: 401,
      body: { reason: 'Unauthorized', details: { causes: [{ reason: 'KeyDisabled' }] } },
    })
    expect(await cut(watch.ended)).toBe('cut')
    expect((await patch(path, { spec: { disabled: false } })).body.status.phase).toBe('Active')
    expect((await use(token)).status).toBe(200)
  })

  it('when it is deleted, also while a finalizer keeps it', async () => {
    const { token, watch, path } = await watching()
    await patch(path, { metadata: { finalizers: ['example.com/hold'] } })
    await platform.ask('DELETE', path)
    expect((await use(token)).status).toBe(401)
    expect(await cut(watch.ended)).toBe('cut')
    expect((await platform.ask('GET', path)).body.status.phase).toBe('Deleting')
    await patch(path, { metadata: { finalizers: null } })
    expect((await platform.ask('GET', path)).status).toBe(404)
  })

  it('when its scope changes', async () => {
    const { token, watch, path } = await watching({ scope })
    await patch(path, { spec: { scope: narrower } })
    expect(await cut(watch.ended)).toBe('cut')
    expect((await use(token)).status).toBe(403)
  })

  it('when it expires', async () => {
    const { token, watch, path } = await watching({ ttl: 60 })
    platform.clock.advance(61_000)
    expect(await use(token)).toMatchObject({
      status: 401,
      body: { details: { causes: [{ reason: 'KeyExpired' }] } },
    })
    expect(await cut(watch.ended)).toBe('cut')
    await eventually(async () => expect((await platform.ask('GET', path)).body.status.phase).toBe('Expired'))
  })

  it('when its owner is locked, until the owner is unlocked', async () => {
    const { user, token, watch } = await watching()
    await patch(`${management}/users/${user}`, { spec: { disabled: true } })
    expect(await use(token)).toMatchObject({
      status: 401,
      body: { details: { causes: [{ reason: 'OwnerLocked' }] } },
    })
    expect(await cut(watch.ended)).toBe('cut')
    await patch(`${management}/users/${user}`, { spec: { disabled: false } })
    expect((await use(token)).status).toBe(200)
  })

  it('when its owner is deleted, together with the key', async () => {
    const { user, token, watch, path } = await watching()
    await platform.must('DELETE', `${management}/users/${user}`)
    expect((await use(token)).status).toBe(401)
    expect(await cut(watch.ended)).toBe('cut')
    await platform.must('POST', `${management}/users`, userNamed(user))
    expect((await use(token)).status).toBe(401)
    await eventually(async () => expect((await platform.ask('GET', path)).status).toBe(404))
    await eventually(async () => {
      const spec = { user }
      const again = await platform.ask('POST', keysPath, { body: { metadata: { generateName: 'again-' }, spec } })
      expect((await use(again.body.spec.key)).status).toBe(200)
    })
  })

  it('when its value is replaced', async () => {
    const { token, watch, path } = await watching()
    await patch(path, { spec: { key: broughtValue('another') } })
    expect((await use(token)).status).toBe(401)
    expect(await cut(watch.ended)).toBe('cut')
  })
})

describe('a watch of keys', () => {
  it('restarts when its user leaves or joins a team, with the current rights', async () => {
    const { user, token, watch: other } = await watching()
    const team = `${management}/teams/shifting`
    await platform.must('POST', `${management}/teams`, { metadata: { name: 'shifting' }, spec: { users: [user] } })
    await platform.must('POST', keysPath, { metadata: { name: 'of-team' }, spec: { team: 'shifting' } })
    expect(await cut(other.ended)).toBe('cut')
    const before = await platform.watch(`${keysPath}?watch=true`, token)
    await expect.poll(before.text).toContain('"of-team"')
    await patch(team, { spec: { displayName: 'Shifting' } })
    await patch(team, { spec: { users: [] } })
    expect(await cut(before.ended)).toBe('cut')
    const after = await platform.watch(`${keysPath}?watch=true`, token)
    await expect.poll(after.text).toContain(`"${user}-key"`)
    await patch(`${keysPath}/of-team`, { spec: { displayName: 'unseen' } })
    await patch(`${keysPath}/${user}-key`, { spec: { displayName: 'seen' } })
    await expect.poll(after.text).toContain('"seen"')
    expect(after.text()).not.toContain('of-team')
    after.stop()
  })

  it('continues when only unrelated objects change', async () => {
    const { watch, user } = await watching()
    await patch(`${management}/users/${user}`, { spec: { displayName: 'Somebody' } })
    await platform.must('POST', `${management}/teams`, { metadata: { name: 'strangers' }, spec: { users: ['absent'] } })
    // What the platform has heard of in between is done when it has cut the watch of another user.
    const { user: joining, watch: other } = await watching()
    await patch(`${management}/teams/strangers`, { spec: { users: ['absent', joining] } })
    expect(await cut(other.ended)).toBe('cut')
    await platform.must('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'still-seen' } })
    await expect.poll(watch.text).toContain('"still-seen"')
    watch.stop()
  })
})

describe('the activity of a key', () => {
  it('is stored once for many requests', async () => {
    const { token, path, watch } = await watching()
    const before = (await platform.ask('GET', path)).body
    for (let round = 0; round < 200; round += 1) await use(token)
    await eventually(async () => {
      const { status } = (await platform.ask('GET', path)).body
      expect(status).toMatchObject({ lastActivity: expect.any(String), lastUsedFrom: '127.0.0.1' })
    })
    const stored = (await platform.ask('GET', path)).body.metadata.resourceVersion
    for (let round = 0; round < 200; round += 1) await use(token)
    await new Promise((resolve) => setTimeout(resolve, 600))
    const after = (await platform.ask('GET', path)).body
    expect(after.metadata.resourceVersion).toBe(stored)
    expect(after.metadata.generation).toBe(before.metadata.generation)
    watch.stop()
  })

  it('keeps a key alive whose lifetime counts from its last use', async () => {
    const { token } = await watching({ ttl: 100, ttlAfterLastActivity: true })
    for (let round = 0; round < 5; round += 1) {
      platform.clock.advance(80_000)
      expect((await use(token)).status).toBe(200)
    }
    platform.clock.advance(101_000)
    expect((await use(token)).status).toBe(401)
  })

  it('causes a warning in the last tenth of its life', async () => {
    const { token } = await watching({ ttl: 1000 })
    expect((await use(token)).warnings).toEqual([])
    platform.clock.advance(950_000)
    expect((await use(token)).warnings.join()).toContain('the access key expires at 20')
  })
})
