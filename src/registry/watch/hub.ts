import type { Cache } from '../cache.ts'
import type { WatchEvent } from '../contract.ts'
import type { ObjectSelection } from '../selection.ts'
import type { SharedBeginnings } from './beginnings.ts'
import type { ChangeEvent } from './event.ts'
import { visibleToEach } from './visible.ts'
import type { Watcher } from './watcher.ts'

const bookmarkIntervalMs = 55_000

/** Watchers that see the same: their events are worked out once, and all of them get the same array. */
interface Group {
  readonly selection: ObjectSelection
  readonly watchers: Set<Watcher>
}

/** Delivers the changes of one kind to all of its watchers. */
export class WatchHub {
  readonly #groups = new Map<string, Group>()
  readonly #revision: () => number
  #bookmarks: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(cache: Cache, revision: () => number, beginnings: SharedBeginnings) {
    this.#revision = revision
    cache.listenLate((events) => {
      beginnings.forget(cache)
      this.#deliver(events)
    })
    // What happened one by one cannot be told any more. Watchers resume, and are told a 410 if it is gone for good.
    cache.onReload(() => {
      beginnings.forget(cache)
      this.endAll()
    })
  }

  get size(): number {
    return [...this.#groups.values()].reduce((sum, group) => sum + group.watchers.size, 0)
  }

  join(selection: ObjectSelection, watcher: Watcher): void {
    if (this.#isClosed) {
      watcher.end()
      return
    }
    const group = this.#groups.get(selection.id) ?? { selection, watchers: new Set() }
    this.#groups.set(selection.id, group)
    group.watchers.add(watcher)
    this.#bookmarks ??= setInterval(() => this.#sendBookmarks(), bookmarkIntervalMs).unref()
    void watcher.ended.then(() => this.#leave(selection, watcher))
  }

  bookmark(): WatchEvent {
    return { type: 'BOOKMARK', resourceVersion: String(this.#revision()), initialEventsEnd: false }
  }

  endAll(): void {
    for (const group of this.#groups.values()) for (const watcher of group.watchers) watcher.end()
    this.#groups.clear()
  }

  /** The kind is no longer served as it was: nothing comes any more. Who comes too late is ended too, and resumes. */
  close(): void {
    this.#isClosed = true
    this.endAll()
  }

  #deliver(events: readonly ChangeEvent[]): void {
    const groups = [...this.#groups.values()]
    const visible = visibleToEach(
      groups.map(({ selection }) => selection),
      events,
    )
    for (const [index, { watchers }] of groups.entries()) {
      const seen = visible[index]
      // Who is told nothing of a change would never learn of it: they come back, and are told what is wrong.
      for (const watcher of watchers) {
        if (seen === undefined) watcher.end()
        else watcher.offer(seen)
      }
    }
  }

  #sendBookmarks(): void {
    const bookmark = [this.bookmark()]
    for (const group of this.#groups.values()) {
      for (const watcher of group.watchers) if (watcher.wantsBookmarks) watcher.offer(bookmark)
    }
  }

  #leave(selection: ObjectSelection, watcher: Watcher): void {
    const group = this.#groups.get(selection.id)
    group?.watchers.delete(watcher)
    if (group?.watchers.size === 0) this.#groups.delete(selection.id)
    if (this.#groups.size > 0) return
    clearInterval(this.#bookmarks)
    this.#bookmarks = undefined
  }
}
