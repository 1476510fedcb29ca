import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { storagePrefix } from '../../src/registry/storage-key.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { testClock } from '../support/registry.ts'
import { type Answered, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

/** An hour after the first start. */
const clock = testClock(Date.UTC(2030, 0, 1, 1))
const merge = 'application/merge-patch+json'
const values = new Map<string, string>()
let directory: string
let platform: TestPlatform

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-restart-'))
  const before = await startPlatform({ directory })
  for (const name of ['ann', 'locked', 'gone', 'again']) {
    await before.must('POST', `${management}/users`, userNamed(name))
  }
  const make = async (name: string, user: string, spec: object = {}) => {
    const made = await before.must('POST', keysPath, { metadata: { name }, spec: { user, ...spec } })
    values.set(name, made.spec.key)
  }
  const patch = (path: string, body: object) => before.ask('PATCH', path, { body, type: merge })
  await make('good', 'ann')
  await make('disabled', 'ann')
  await make('expired', 'ann', { ttl: 60 })
  await make('ending', 'ann', { ttl: 3_700 })
  await make('unused', 'ann', { ttl: 3_700 })
  await make('rotated', 'ann')
  await make('replaced', 'ann')
  await make('being-deleted', 'ann')
  await make('of-locked', 'locked')
  await make('of-gone', 'gone')
  await make('of-again', 'again')
  await patch(`${keysPath}/disabled`, { spec: { disabled: true } })
  await patch(`${keysPath}/being-deleted`, { metadata: { finalizers: ['example.com/wait'] } })
  await before.must('DELETE', `${keysPath}/being-deleted`)
  await patch(`${management}/users/locked`, { spec: { disabled: true } })
  const rotate = async (name: string, overlapSeconds: number) => {
    const { spec } = await before.must('POST', `${keysPath}/${name}/rotate`, { overlapSeconds })
    values.set(`${name}, new value`, spec.key)
  }
  await rotate('rotated', 7_200)
  await rotate('replaced', 0)
  await before.stop()
  await changeOwnersWhileDown(join(directory, 'store'))
  platform = await startPlatform({ directory, clock })
})

afterAll(async () => {
  await platform.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Removes one user, and replaces another by a different user of the same name. */
async function changeOwnersWhileDown(store: string): Promise<void> {
  const opened = await openLmdbStore({ directory: store })
  const users = managementKinds('platform.internal').find(({ kind }) => kind === 'User')
  if (users === undefined) throw new Error('there are users')
  for (const name of ['gone', 'again']) {
    const key = storagePrefix(users) + name
    const stored = await opened.get(key)
    await opened.delete(key, stored?.revision ?? 0)
    if (name === 'again') await opened.create(key, Buffer.from('{"metadata":{"name":"again","uid":"another"}}'))
  }
  await opened.close()
}

const firstRequest = (name: string): Promise<Answered> =>
  platform.ask('GET', keysPath, { token: values.get(name) ?? '' })

it.each([
  ['good', 200],
  ['ending', 200],
  ['rotated', 200],
  ['rotated, new value', 200],
  ['replaced', 401],
  ['replaced, new value', 200],
  ['disabled', 401],
  ['expired', 401],
  ['being-deleted', 401],
  ['of-locked', 401],
  ['of-gone', 401],
  ['of-again', 401],
])('after a restart the first request with the key "%s" gets %i', async (name, status) => {
  expect((await firstRequest(name)).status).toBe(status)
})

it('after a restart the user of a key that expires soon is warned', async () => {
  expect((await firstRequest('ending')).warnings.join()).toContain('the access key expires at 2030-01-01T01:01:40Z')
})

it('after a restart keys of deleted owners are removed', async () => {
  await eventually(async () => {
    const { items } = await platform.must('GET', keysPath)
    const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    expect(names).not.toContain('of-gone')
    expect(names).not.toContain('of-again')
    expect(names).toContain('of-locked')
  })
})

it('after a restart keys expire in time, in use or not', async () => {
  const phaseOf = async (name: string) => (await platform.must('GET', `${keysPath}/${name}`)).status.phase
  await eventually(async () => expect(await phaseOf('expired')).toBe('Expired'))
  const watch = await platform.watch(`${keysPath}?watch=true`, values.get('ending') ?? '')
  expect([watch.status, await phaseOf('unused')]).toEqual([200, 'Active'])
  clock.advance(101_000)
  await watch.ended
  await eventually(async () => expect(await phaseOf('unused')).toBe('Expired'))
  expect((await firstRequest('unused')).status).toBe(401)
})
