import { Pace, paced } from '../../base/pace.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import type { ObjectSelection } from '../selection.ts'
import type { ChangeEvent } from './event.ts'
import { visibleToEach } from './visible.ts'
import type { Watcher } from './watcher.ts'

/** Conditions and watchers that are processed synchronously for a change. */
const mostAtOnce = 50_000
/** The same for one step, if there are more. */
const effortPerStep = 10_000
const msPerTurn = 5
/** All lanes take turns with other long work, and wait for at most one task of each party. */
const party = Symbol('watchers')
/** If more than this waits, it is dropped: watchers are ended, and resume. */
const mostLateEvents = 20_000
const mostLateBytes = 16 * 1024 * 1024

/** Watchers that see the same objects: their events are computed once, and all of them get the same array. */
interface Group {
  readonly selection: ObjectSelection
  /** Each with the first batch that it has not received yet. */
  readonly watchers: Map<Watcher, number>
}

interface Batch {
  readonly number: number
  readonly events: readonly ChangeEvent[]
}

/**
 * Some of the watchers of one kind. Changes are delivered synchronously while that is fast; otherwise in steps, one
 * batch after the other. A watcher that joins meanwhile starts from a state that includes the pending batches, so these
 * are skipped for it.
 */
export class WatchLane {
  readonly #groups = new Map<string, Group>()
  #effort = 0
  #watchers = 0
  #batches = 0
  #late: Batch[] = []
  #lateEvents = 0
  #lateBytes = 0
  #isBehind = false

  get size(): number {
    return this.#watchers
  }

  /** Whether some watchers have not received everything yet. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  *watchers(): Iterable<Watcher> {
    for (const group of this.#groups.values()) yield* group.watchers.keys()
  }

  join(selection: ObjectSelection, watcher: Watcher): void {
    const group = this.#groups.get(selection.id) ?? this.#added(selection)
    group.watchers.set(watcher, this.#batches)
    this.#watchers++
  }

  leave(selection: ObjectSelection, watcher: Watcher): void {
    const group = this.#groups.get(selection.id)
    if (group?.watchers.delete(watcher) !== true) return
    this.#watchers--
    if (group.watchers.size > 0) return
    this.#groups.delete(selection.id)
    this.#effort -= selection.effort
  }

  endAll(): void {
    this.#forgetLate()
    const watchers = [...this.watchers()]
    this.#groups.clear()
    this.#effort = 0
    this.#watchers = 0
    for (const watcher of watchers) watcher.end()
  }

  deliver(events: readonly ChangeEvent[]): void {
    const batch = { number: this.#batches, events }
    this.#batches++
    if (this.#watchers === 0) return
    if (!this.#isBehind && events.length * (this.#effort + this.#watchers) <= mostAtOnce) {
      atOnce(this.#tell(batch))
      return
    }
    this.#late.push(batch)
    this.#lateEvents += events.length
    this.#lateBytes += bytesOf(events)
    if (this.#lateEvents > mostLateEvents || this.#lateBytes > mostLateBytes) this.endAll()
    else if (!this.#isBehind) void this.#tellLate()
  }

  async #tellLate(): Promise<void> {
    this.#isBehind = true
    const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY, msPerTurn, party })
    for (let batch = this.#late.shift(); batch !== undefined; batch = this.#late.shift()) {
      this.#lateEvents -= batch.events.length
      this.#lateBytes -= bytesOf(batch.events)
      await paced(this.#tell(batch), pace)
    }
    this.#isBehind = false
  }

  /** Each batch reaches a watcher whole, or not at all. */
  *#tell({ number, events }: Batch): Steps<void> {
    for (const groups of this.#portions(events.length)) {
      const visible = visibleToEach(
        groups.map(({ selection }) => selection),
        events,
      )
      let effort = 0
      for (const [index, { watchers }] of groups.entries()) {
        const seen = visible[index]
        for (const [watcher, first] of watchers.size * events.length > effortPerStep ? [...watchers] : watchers) {
          if (first > number) continue
          // A watcher that misses a change would never learn of it, so it is ended: it reconnects and gets an error.
          if (seen === undefined) watcher.end()
          else watcher.offer(seen)
          effort += events.length
          if (effort < effortPerStep) continue
          effort = 0
          yield
        }
      }
      yield
    }
  }

  /** The current groups, divided into portions that each take one step. */
  #portions(events: number): readonly (readonly Group[])[] {
    const portions: Group[][] = []
    let effort = Number.POSITIVE_INFINITY
    for (const group of this.#groups.values()) {
      if (effort > effortPerStep) {
        portions.push([])
        effort = 0
      }
      portions.at(-1)?.push(group)
      effort += group.selection.effort * events
    }
    return portions
  }

  #added(selection: ObjectSelection): Group {
    const group: Group = { selection, watchers: new Map() }
    this.#groups.set(selection.id, group)
    this.#effort += selection.effort
    return group
  }

  #forgetLate(): void {
    this.#late = []
    this.#lateEvents = 0
    this.#lateBytes = 0
  }
}

function bytesOf(events: readonly ChangeEvent[]): number {
  return events.reduce((sum, { document }) => sum + document.bytes, 0)
}
