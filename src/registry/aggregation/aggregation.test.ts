import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { reasonOf } from './ask-api.ts'
import { KnownResources } from './known-resources.ts'
import { remoteUserHeaders } from './remote-user.ts'
import { readResourceList } from './resource-list.ts'
import { wholeText } from './whole-text.ts'

it('an upstream server gets the identity of the caller', () => {
  const user = {
    name: 'zoë',
    uid: 'u',
    groups: ['a', 'b'],
    extra: { 'example.com/Role(x)': ['1', '2'] },
    credential: undefined as never,
  }
  expect(remoteUserHeaders(user)).toEqual([
    ...['x-remote-user', Buffer.from('zoë').toString('latin1'), 'x-remote-uid', 'u'],
    ...['x-remote-group', 'a', 'x-remote-group', 'b'],
    ...['x-remote-extra-example.com%2Frole%28x%29', '1', 'x-remote-extra-example.com%2Frole%28x%29', '2'],
  ])
})

it.each(['a\r\nx-remote-group: system:masters', 'a\nb', 'a\0b'])(
  'a name that would end a header is not sent: %j',
  (name) => {
    expect(() => remoteUserHeaders({ name, groups: [] })).toThrow('line break')
    expect(() => remoteUserHeaders({ name: 'a', groups: [name] })).toThrow('line break')
  },
)

it.each(['system:masters ', ' admin', 'admin\t', '\u00a0admin', ''])(
  'a name that a reader could take for another is not sent: %j',
  (name) => {
    expect(() => remoteUserHeaders({ name, groups: [] })).toThrow('the name of the user')
    expect(() => remoteUserHeaders({ name: 'a', groups: [name] })).toThrow('the name of the user')
  },
)

it('a failure does not tell which names the certificate of another server holds', () => {
  const mismatch = "Hostname/IP does not match certificate's altnames"
  const error = new Error(
    `cannot reach https://10.0.0.1:443: ${mismatch}: Host: a. is not in the cert's altnames: DNS:db.internal`,
  )
  expect(reasonOf(error)).toBe(mismatch)
})

it('only valid entries in the discovery of a server are shown', () => {
  const good = { name: 'foos', kind: 'Foo', singularName: 'foo', namespaced: true, verbs: ['get', 7] }
  const resources = [good, null, 7, {}, { name: 'x'.repeat(254), kind: 'X' }, { name: 'bars', kind: 7 }]
  expect(readResourceList(JSON.stringify({ resources }))).toEqual([
    {
      name: 'foos',
      kind: 'Foo',
      singularName: 'foo',
      namespaced: true,
      group: '',
      version: '',
      verbs: ['get'],
      shortNames: [],
      categories: [],
    },
  ])
  expect(readResourceList('[]')).toEqual([])
  const many = Array.from({ length: 1000 }, (_, index) => ({ name: `r${index}`, kind: 'K' }))
  expect(readResourceList(JSON.stringify({ resources: many })).length).toBeLessThanOrEqual(500)
  expect(() => readResourceList('{')).toThrow(SyntaxError)
})

const wordy = (name: string) => ({
  name,
  kind: 'K',
  verbs: Array.from({ length: 50 }, (_, index) => `v${index}`.padEnd(36, 'v')),
})

it('of several entries with the same name the first is shown', () => {
  const resources = [{ name: 'a', kind: 'A' }, { name: 'a', kind: 'B' }, { name: 'a/b', kind: 'C' }, wordy('a/b')]
  const read = readResourceList(JSON.stringify({ resources }))
  expect(read.map(({ name, kind }) => [name, kind])).toEqual([
    ['a', 'A'],
    ['a/b', 'C'],
  ])
})

it('very long discovery of a server is truncated', () => {
  const resources = Array.from({ length: 200 }, (_, index) => wordy(`r${index}`))
  const read = readResourceList(JSON.stringify({ resources }))
  expect(read.length).toBeGreaterThan(10)
  expect(JSON.stringify(read).length).toBeLessThan(66_000)
})

it('the discovery of many servers has a total limit', () => {
  const known = new KnownResources()
  const resources = readResourceList(
    JSON.stringify({ resources: Array.from({ length: 20 }, (_, i) => wordy(`r${i}`)) }),
  )
  const names = Array.from({ length: 100 }, (_, index) => `v1.g${index}`)
  const learned = names.filter((name) => known.learn(name, resources))
  expect(learned.length).toBeGreaterThan(30)
  expect(learned.length).toBeLessThan(60)
  expect(known.of('v1.g99')).toBeUndefined()
  known.forget('v1.g0')
  expect(known.learn('v1.g99', resources)).toBe(true)
  expect(known.learn('v1.g99', [...resources])).toBe(false)
})

it.each([
  ['is nested 200,000 deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['holds 250,000 values', `[${'1,'.repeat(249_999)}1]`],
])('the discovery document of a server is not parsed if it %s', async (_, text) => {
  const { signal } = new AbortController()
  await expect(wholeText(Readable.from([Buffer.from(text)]), signal, 1_000_000)).rejects.toThrow('nested too deep')
})
