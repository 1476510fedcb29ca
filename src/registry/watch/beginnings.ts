import type { ChangeEvent } from './event.ts'

/** One part of the initial events of a watcher. */
export interface BeginningPart {
  readonly events: readonly ChangeEvent[]
  /** The stored size of its objects. */
  readonly bytes: number
  /** The next part starts after this key; undefined: there is none. */
  readonly afterKey: string | undefined
}

export type NextPart = (afterKey: string | undefined) => BeginningPart

/** For all beginnings together. Further parts are computed for each watcher. */
const mostBytes = 4 * 1024 * 1024
const keptMs = 1_000

/**
 * Shares initial events among watchers that start at about the same time, while nothing changes: they are computed and
 * encoded once for all that see the same. They are soon forgotten, and watchers still reading them continue alone, so
 * that a slow reader retains only its own part.
 */
export class SharedBeginnings {
  readonly #known = new Map<object, Map<string, Beginning>>()
  #bytes = 0
  #forgetting: NodeJS.Timeout | undefined

  /** `of` is the watched collection, `view` identifies what watchers see of it. `next` reads an immutable state. */
  begin(of: object, view: string, next: NextPart): Generator<readonly ChangeEvent[]> {
    const views = this.#known.get(of) ?? new Map<string, Beginning>()
    const known = views.get(view) ?? new Beginning(next, (bytes) => this.#take(bytes))
    this.#known.set(of, views.set(view, known))
    this.#forgetting ??= setTimeout(() => this.#forgetAll(), keptMs).unref()
    return known.events()
  }

  /** Call it when the collection has changed. */
  forget(of: object): void {
    const views = this.#known.get(of)
    if (views === undefined) return
    this.#known.delete(of)
    for (const beginning of views.values()) this.#bytes -= beginning.close()
  }

  #take(bytes: number): boolean {
    if (this.#bytes + bytes > mostBytes) return false
    this.#bytes += bytes
    return true
  }

  #forgetAll(): void {
    this.#forgetting = undefined
    for (const of of this.#known.keys()) this.forget(of)
  }
}

class Beginning {
  readonly #next: NextPart
  readonly #takeRoom: (bytes: number) => boolean
  #parts: BeginningPart[] = []
  #bytes = 0
  #isClosed = false

  constructor(next: NextPart, takeRoom: (bytes: number) => boolean) {
    this.#next = next
    this.#takeRoom = takeRoom
  }

  *events(): Generator<readonly ChangeEvent[]> {
    let afterKey: string | undefined
    let index = 0
    do {
      const part = this.#parts[index] ?? this.#made(index, afterKey)
      index += 1
      afterKey = part.afterKey
      yield part.events
    } while (afterKey !== undefined)
  }

  /** Returns how many bytes it held. */
  close(): number {
    const bytes = this.#bytes
    this.#isClosed = true
    this.#parts = []
    this.#bytes = 0
    return bytes
  }

  #made(index: number, afterKey: string | undefined): BeginningPart {
    const part = this.#next(afterKey)
    if (this.#isClosed || index !== this.#parts.length || !this.#takeRoom(part.bytes)) return part
    this.#bytes += part.bytes
    this.#parts.push(part)
    return part
  }
}
