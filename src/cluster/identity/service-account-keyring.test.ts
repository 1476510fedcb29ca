import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { generateSigningKeyPem, readSigningKey } from '../../base/keys/keypair.ts'
import { beginSigningKey } from './new-signing-key.ts'
import { ServiceAccountKeyring } from './service-account-keyring.ts'

const hour = 3_600_000
let directory = ''
let nowMs = 0
const clock = { now: () => nowMs }
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-keyring-'))
  nowMs = Date.parse('2026-11-16T00:00:00Z')
})
afterEach(() => rmSync(directory, { recursive: true }))

const open = () => ServiceAccountKeyring.open(directory, clock)
const ids = (keyring: ServiceAccountKeyring) => keyring.verifying().map(({ id }) => id)

it('accepts tokens of a previous key until the last of them has ended, even after a restart', async () => {
  const keyring = await open()
  const first = keyring.signing.verifying.id
  keyring.noteToken(nowMs + hour)
  await keyring.rotate({})
  const second = keyring.signing.verifying.id
  expect(second).not.toBe(first)
  for (const each of [keyring, await open()]) expect(ids(each)).toEqual([second, first])
  nowMs += hour
  for (const each of [keyring, await open()]) expect(ids(each)).toEqual([second])
})

it('knows the end of tokens that were signed before a restart', async () => {
  const first = await open()
  first.noteToken(nowMs + 1000 * hour)
  const second = await open()
  await second.rotate({})
  nowMs += 1000 * hour - 1
  expect(ids(await open())).toContain(first.signing.verifying.id)
})

it.each(['RS256', 'ES256'] as const)('keeps the type of its key: %s', async (algorithm) => {
  writeFileSync(join(directory, 'service-account.key'), await generateSigningKeyPem(algorithm))
  const keyring = await open()
  keyring.noteToken(nowMs + hour)
  await keyring.rotate({})
  expect(keyring.verifying().map((key) => key.algorithm)).toEqual([algorithm, algorithm])
  expect((await open()).verifying().map((key) => key.algorithm)).toEqual([algorithm, algorithm])
})

it('accepts tokens of all previous keys no longer than the overlap', async () => {
  const keyring = await open()
  for (const overlapMs of [undefined, hour]) {
    keyring.noteToken(nowMs + 10 * hour)
    await keyring.rotate({ overlapMs })
  }
  expect(ids(keyring)).toHaveLength(3)
  nowMs += hour
  expect(ids(keyring)).toEqual([keyring.signing.verifying.id])
})

it('signs with a new key only after others know it', async () => {
  const keyring = await open()
  const before = keyring.signing
  await keyring.rotate({
    announce: async (key) => {
      expect(key.id).not.toBe(before.verifying.id)
      expect(keyring.signing).toBe(before)
    },
  })
  expect(keyring.signing).not.toBe(before)
})

it('keeps a key that another process of the directory has made, when it replaces it', async () => {
  const [one, other] = [await open(), await open()]
  const first = one.signing.verifying.id
  other.noteToken(nowMs + hour)
  await other.rotate({})
  const second = other.signing.verifying.id
  other.noteToken(nowMs + hour)
  await one.rotate({})
  for (const each of [one, await open()]) expect(ids(each)).toEqual([one.signing.verifying.id, second, first])
  expect(other.reread()).toBe(true)
  expect(ids(other)).toEqual(ids(one))
  expect(other.reread()).toBe(false)
})

it('accepts tokens that another process of the directory has signed with the key that it replaces', async () => {
  const one = await ServiceAccountKeyring.open(directory, clock, { isShared: true })
  one.noteToken(nowMs + hour)
  const other = await ServiceAccountKeyring.open(directory, clock, { isShared: true })
  nowMs += 2 * hour
  other.noteToken(nowMs + hour)
  await one.rotate({})
  nowMs += hour - 1
  expect(ids(one)).toContain(other.signing.verifying.id)
})

it('returns the same list as long as nothing has changed', async () => {
  const keyring = await open()
  expect(keyring.verifying()).toBe(keyring.verifying())
})

it('a key that was prepared signs from the first start on, and none is prepared if there is one', async () => {
  const begun = beginSigningKey(directory)
  const keyring = await ServiceAccountKeyring.open(directory, clock, { newKey: begun })
  expect(readSigningKey((await begun?.pem) ?? '').verifying.id).toBe(keyring.signing.verifying.id)
  expect(beginSigningKey(directory)).toBeUndefined()
  const another = { pem: Promise.reject(new Error('is not needed')) }
  another.pem.catch(() => {})
  expect(ids(await ServiceAccountKeyring.open(directory, clock, { newKey: another }))).toEqual(ids(keyring))
})
