import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { WatchEvent } from '../../registry/contract.ts'
import { SharedFrames } from './shared-frames.ts'

const event: WatchEvent = { type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: false }

it('encodes an event once for all watchers with the same view, and keeps nothing for the next iteration', async () => {
  const frames = new SharedFrames()
  const encoded: string[] = []
  const frameOf = (view: string, of: WatchEvent = event) =>
    frames.of(of, view, () => {
      encoded.push(view)
      return Buffer.from(view)
    })
  for (let watcher = 0; watcher < 100; watcher++) {
    frameOf('Pod')
    frameOf('PartialObjectMetadata')
  }
  expect(frameOf('Pod')).toBe(frameOf('Pod'))
  expect(encoded).toEqual(['Pod', 'PartialObjectMetadata'])
  frameOf('Pod', { ...event })
  expect(encoded).toHaveLength(3)
  await nextTurn()
  frameOf('Pod')
  expect(encoded).toHaveLength(4)
})
