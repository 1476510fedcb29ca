import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { Pace } from '../../base/pace.ts'
import type { WatchEvent } from '../contract.ts'
import { StoredDocument, toStoredBytes } from '../document.ts'
import { type ObjectSelection, parseSelection } from '../selection.ts'
import { ChangeEvent } from './event.ts'
import { WatchLane } from './lane.ts'
import { Watcher } from './watcher.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function changeAt(revision: number, bytes = 1): ChangeEvent {
  const metadata = { name: 'a', namespace: 'shop', labels: { tier: 'front' } }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(bytes) } }
  const stored = toStoredBytes(configMap, object, undefined)
  return new ChangeEvent(
    'MODIFIED',
    new StoredDocument(configMap, { namespace: 'shop', name: 'a' }, stored, revision),
    undefined,
  )
}

/** As many conditions as a selector may have, all of which hold. */
function selective(of: number): ObjectSelection {
  const labelSelector = Array.from({ length: 200 }, (_, index) => `!absent-${of}-${index}`).join()
  return parseSelection(configMap, '', { labelSelector, fieldSelector: '' }, undefined)
}

const everything = parseSelection(configMap, '', { labelSelector: '', fieldSelector: '' }, undefined)

async function joined(lane: WatchLane, selection: ObjectSelection) {
  const told: number[] = []
  const send = (events: readonly WatchEvent[]) => {
    for (const event of events) if ('document' in event) told.push(Number(event.document.resourceVersion))
    return true
  }
  const watcher = new Watcher({ send, drained: () => Promise.resolve() }, false, new AbortController().signal)
  lane.join(selection, watcher)
  await watcher.begin([].values(), new Pace())
  return { told, watcher }
}

async function caughtUp(lane: WatchLane): Promise<number> {
  let turns = 0
  for (; lane.isBehind; turns += 1) await nextTurn()
  return turns
}

async function manySelective(lane: WatchLane) {
  const all = []
  for (let of = 0; of < 300; of += 1) all.push(await joined(lane, selective(of)))
  return all
}

describe('watchers of a kind', () => {
  it('are notified at once if they are few', async () => {
    const lane = new WatchLane()
    const { told } = await joined(lane, everything)
    lane.deliver([changeAt(1), changeAt(2)])
    expect([told, lane.isBehind]).toEqual([[1, 2], false])
  })

  it('with slow selectors are notified in steps, in order, and once per change', async () => {
    const lane = new WatchLane()
    const watchers = await manySelective(lane)
    // So many that no machine processes them instantly.
    const revisions = Array.from({ length: 52 }, (_, index) => index + 1)
    lane.deliver(revisions.slice(0, 50).map((revision) => changeAt(revision)))
    expect(lane.isBehind).toBe(true)
    lane.deliver([changeAt(51)])
    const late = await joined(lane, selective(0))
    const other = await joined(lane, everything)
    lane.deliver([changeAt(52)])
    expect(await caughtUp(lane)).toBeGreaterThan(2)
    for (const { told } of watchers) expect(told).toEqual(revisions)
    expect([late.told, other.told]).toEqual([[52], [52]])
    lane.deliver([])
    expect(lane.isBehind).toBe(false)
  })

  it('in large numbers are notified in steps, even without selectors', async () => {
    const lane = new WatchLane()
    const all = []
    for (let count = 0; count < 2_000; count += 1) all.push(await joined(lane, everything))
    const events = Array.from({ length: 200 }, (_, index) => changeAt(index + 1))
    lane.deliver(events)
    expect(lane.isBehind).toBe(true)
    await caughtUp(lane)
    for (const { told } of all) expect(told).toHaveLength(200)
  })

  it('end if too many changes are pending, which are then dropped', async () => {
    const lane = new WatchLane()
    const watchers = await manySelective(lane)
    for (let revision = 1; revision <= 20; revision += 1) lane.deliver([changeAt(revision, 1024 * 1024)])
    await Promise.all(watchers.map(({ watcher }) => watcher.ended))
    expect(lane.size).toBe(0)
    await caughtUp(lane)
    const { told } = await joined(lane, everything)
    lane.deliver([changeAt(100)])
    expect(told).toEqual([100])
  })

  it('are no longer counted after they leave', async () => {
    const lane = new WatchLane()
    const { watcher, told } = await joined(lane, everything)
    lane.leave(everything, watcher)
    lane.leave(everything, watcher)
    expect(lane.size).toBe(0)
    lane.deliver([changeAt(1)])
    expect(told).toEqual([])
  })
})
