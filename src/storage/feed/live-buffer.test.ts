import { expect, test } from 'vitest'
import type { ChangeBatch } from '../contract.ts'
import { LiveBuffer } from './live-buffer.ts'

function batch(revision: number, ...keys: readonly string[]): ChangeBatch {
  const first = revision - keys.length + 1
  const changes = keys.map((key, index) => ({
    type: 'created' as const,
    key,
    revision: first + index,
    value: Buffer.from('xx'),
  }))
  return { changes, revision }
}

function buffer(options: { readonly progress?: boolean; readonly changes?: number; readonly bytes?: number } = {}) {
  const limits = { changes: options.changes ?? 100, bytes: options.bytes ?? 1_000 }
  return new LiveBuffer({ prefix: '/a/', afterRevision: 10, progress: options.progress ?? false, limits })
}

test('pushed changes are taken as one batch', async () => {
  const live = buffer()
  live.push(batch(12, '/a/1', '/b/1'))
  live.push(batch(13, '/a/2'))
  const taken = await live.take()
  expect(taken?.changes.map(({ key }) => key)).toEqual(['/a/1', '/a/2'])
  expect(taken?.revision).toBe(13)
})

test('changes that the watcher has seen are skipped', async () => {
  const live = buffer()
  live.push(batch(9, '/a/0'))
  live.push(batch(12, '/a/1', '/a/2', '/a/3'))
  expect((await live.take())?.changes.map(({ revision }) => revision)).toEqual([11, 12])
})

test('a waiting reader is woken', async () => {
  const live = buffer()
  const waiting = live.take()
  live.push(batch(11, '/a/1'))
  expect((await waiting)?.revision).toBe(11)
})

test('without progress, changes of other prefixes do not wake the reader, but advance its revision', () => {
  const live = buffer()
  live.push(batch(50, '/b/1'))
  expect(live.seenRevision).toBe(50)
  live.push(batch(51, '/a/1'))
  live.push(batch(52, '/b/1'))
  expect(live.seenRevision).toBe(50)
})

test('with progress, changes of other prefixes arrive as an empty batch', async () => {
  const live = buffer({ progress: true })
  live.push(batch(50, '/b/1'))
  expect(await live.take()).toEqual({ changes: [], revision: 50 })
})

test.each([
  ['changes', { changes: 2 }],
  ['bytes', { bytes: 5 }],
])('too many %s end it and free its memory', async (_, limits) => {
  const live = buffer(limits)
  live.push(batch(11, '/a/1'))
  live.push(batch(13, '/a/2', '/a/3'))
  expect(live.ended).toBe(true)
  expect(await live.take()).toBeUndefined()
  expect(live.seenRevision).toBe(10)
})

test('a failure reaches waiting and later readers', async () => {
  const live = buffer()
  const waiting = live.take()
  live.end(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  await expect(live.take()).rejects.toThrow('closed')
})
