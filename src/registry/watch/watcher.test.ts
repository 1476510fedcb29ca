import { expect, it } from 'vitest'
import { Pace } from '../../base/pace.ts'
import type { Document, WatchEvent, WatchSink } from '../contract.ts'
import { Watcher } from './watcher.ts'

const behind: WatchSink = { send: () => false, drained: () => new Promise(() => {}) }

function eventOf(bytes: number): WatchEvent {
  const json = Buffer.alloc(bytes)
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }
  const document: Document = {
    namespace: '',
    name: 'a',
    resourceVersion: '1',
    labels: undefined,
    json,
    itemJson: json,
    object,
  }
  return { type: 'MODIFIED', document, parts: [] }
}

it.each([
  ['few large events', 1024 * 1024, 8],
  ['many small ones', 10, 20_000],
])('a watcher that is behind by %s ends', async (_, bytes, most) => {
  const watcher = new Watcher(behind, false, new AbortController().signal)
  let isEnded = false
  void watcher.ended.then(() => {
    isEnded = true
  })
  void watcher.begin([].values(), new Pace())
  await Promise.resolve()
  watcher.offer([eventOf(bytes)])
  for (let count = 0; count < most; count += 1) watcher.offer([eventOf(bytes)])
  await Promise.resolve()
  expect(isEnded).toBe(false)
  watcher.offer([eventOf(bytes)])
  await watcher.ended
})
