import type { Cache } from '../cache.ts'
import type { WatchEvent } from '../contract.ts'
import type { ObjectSelection } from '../selection.ts'
import type { SharedBeginnings } from './beginnings.ts'
import { WatchLane } from './lane.ts'
import type { Watcher } from './watcher.ts'

const bookmarkIntervalMs = 55_000
/** Conditions of a selection. Watchers with more are served separately, so that the others do not wait for them. */
const mostConditions = 10

/** Delivers the changes of one kind to all of its watchers. */
export class WatchHub {
  readonly #usual = new WatchLane()
  readonly #selective = new WatchLane()
  readonly #lanes = [this.#usual, this.#selective]
  readonly #revision: () => number
  #bookmarks: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(cache: Cache, revision: () => number, beginnings: SharedBeginnings) {
    this.#revision = revision
    cache.listenLate((events) => {
      beginnings.forget(cache)
      for (const lane of this.#lanes) lane.deliver(events)
    })
    // The individual changes are lost. Watchers resume, and get a 410 if the history is gone for good.
    cache.onReload(() => {
      beginnings.forget(cache)
      this.endAll()
    })
  }

  get size(): number {
    return this.#usual.size + this.#selective.size
  }

  join(selection: ObjectSelection, watcher: Watcher): void {
    if (this.#isClosed) {
      watcher.end()
      return
    }
    const lane = this.#laneOf(selection)
    lane.join(selection, watcher)
    this.#bookmarks ??= setInterval(() => this.#sendBookmarks(), bookmarkIntervalMs).unref()
    void watcher.ended.then(() => this.#leave(lane, selection, watcher))
  }

  /** Skipped if the watcher has not received all changes up to now. */
  offerBookmark(selection: ObjectSelection, watcher: Watcher): void {
    if (!this.#laneOf(selection).isBehind) watcher.offer([this.#bookmark()])
  }

  endAll(): void {
    for (const lane of this.#lanes) lane.endAll()
  }

  /** The kind is no longer served as before: no more events follow. Late watchers are ended too, and resume. */
  close(): void {
    this.#isClosed = true
    this.endAll()
  }

  #laneOf(selection: ObjectSelection): WatchLane {
    return selection.effort > mostConditions ? this.#selective : this.#usual
  }

  #bookmark(): WatchEvent {
    return { type: 'BOOKMARK', resourceVersion: String(this.#revision()), initialEventsEnd: false }
  }

  #sendBookmarks(): void {
    const bookmark = [this.#bookmark()]
    for (const lane of this.#lanes) {
      if (lane.isBehind) continue
      for (const watcher of lane.watchers()) if (watcher.wantsBookmarks) watcher.offer(bookmark)
    }
  }

  #leave(lane: WatchLane, selection: ObjectSelection, watcher: Watcher): void {
    lane.leave(selection, watcher)
    if (this.size > 0) return
    clearInterval(this.#bookmarks)
    this.#bookmarks = undefined
  }
}
