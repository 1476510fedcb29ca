import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const merge = 'application/merge-patch+json'
let platform: TestPlatform
const tokens = new Map<string, string>()

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['bob'] } })
  await make('ann-1', { user: 'ann' })
  await make('ann-2', { user: 'ann' })
  await make('bob-1', { user: 'bob' })
  await make('crew-1', { team: 'crew' })
})

afterAll(() => platform.stop())

async function make(name: string, spec: object): Promise<void> {
  const { spec: made } = await platform.must('POST', keysPath, { metadata: { name }, spec })
  tokens.set(name, made.key)
}

type Named = { readonly metadata: { readonly name: string } }
const namesIn = (items: readonly Named[]) => items.map(({ metadata }) => metadata.name)
const listed = async (token: string, query = '') =>
  (await platform.ask('GET', `${keysPath}?${query}`, { token: tokens.get(token) ?? '' })).body
const namesSeenBy = async (token: string) => namesIn((await listed(token)).items)

async function namesWatchedBy(token: string): Promise<readonly string[]> {
  const path = `${keysPath}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
  const watch = await platform.watch(path, tokens.get(token) ?? '')
  await eventually(() => expect(watch.text()).toContain('initial-events-end'))
  watch.stop()
  const events = watch
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return namesIn(events.filter(({ type }) => type === 'ADDED').map(({ object }) => object))
}

async function expectOwn(token: string, names: readonly string[]): Promise<void> {
  expect(await namesSeenBy(token)).toEqual(names)
  expect(await namesWatchedBy(token)).toEqual(names)
}

it('a user lists and watches own keys and those of own teams, in order', async () => {
  await expectOwn('ann-1', ['ann-1', 'ann-2'])
  await expectOwn('bob-1', ['bob-1', 'crew-1'])
})

it('pages of own keys show one state', async () => {
  const first = await listed('ann-1', 'limit=1')
  expect(namesIn(first.items)).toEqual(['ann-1'])
  await make('ann-3', { user: 'ann' })
  const token = encodeURIComponent(first.metadata.continue)
  expect(namesIn((await listed('ann-1', `limit=5&continue=${token}`)).items)).toEqual(['ann-2'])
})

it('a key with a changed owner, or a deleted one, is visible only to its present owner', async () => {
  const move = { body: { spec: { user: 'bob' } }, type: merge }
  expect((await platform.ask('PATCH', `${keysPath}/ann-2`, move)).status).toBe(200)
  await platform.must('DELETE', `${keysPath}/crew-1`)
  await expectOwn('ann-1', ['ann-1', 'ann-3'])
  await expectOwn('bob-1', ['ann-2', 'bob-1'])
})

it('administrators find the same keys under the owner', async () => {
  const keysOf = async (path: string) => namesIn((await platform.must('GET', `${management}/${path}`)).accessKeys)
  expect(await keysOf('users/ann/accesskeys')).toEqual(['ann-1', 'ann-3'])
  expect(await keysOf('users/bob/accesskeys')).toEqual(['ann-2', 'bob-1'])
  expect(await keysOf('teams/crew/accesskeys')).toEqual([])
})
