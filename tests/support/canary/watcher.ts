import { holdsUnmarkedValue, keyValuesIn, longestSighting, type Sighting } from './key-values.ts'
import { isForTheOnlyTime, isMeant, mayShow } from './meant-places.ts'
import { type Place, type PlaceType, placeText } from './place.ts'
import type { RunFolder } from './run-folder.ts'

export interface WatcherOptions {
  readonly folder: RunFolder
  readonly processName: string
  /** The title of the running test. */
  readonly test: () => string
}

const unmarked = 'a value that the canary cannot know: tests bring keys by way of broughtValue()'
const keepEveryMs = 1_000
const nothing: Buffer = Buffer.alloc(0)

/** Searches data for values of keys. It never throws: its own errors become findings. */
export class Watcher {
  /** The commands of the processes that this one has started. */
  readonly commands = new WeakMap<object, readonly string[]>()
  readonly #options: WatcherOptions
  readonly #looks: Record<PlaceType, [number, number]> = {
    answer: [0, 0],
    'compressed answer': [0, 0],
    'call over a link': [0, 0],
    output: [0, 0],
    log: [0, 0],
    file: [0, 0],
  }
  readonly #told = new Set<string>()
  readonly #shownOnce = new Set<string>()
  #shown = 0
  #keptAt = 0

  constructor(options: WatcherOptions) {
    this.#options = options
  }

  look(place: Place, data: unknown): void {
    this.safely(() => {
      const bytes = bytesOf(data)
      this.count(place, bytes.length)
      for (const sighting of keyValuesIn(bytes)) this.judge(place, sighting)
      if (mayShow(place) && holdsUnmarkedValue(bytes)) this.#tell({ place: placeText(place), what: unmarked })
    })
  }

  /** For data that arrives in pieces: a value may span two of them. */
  follow(place: () => Place): (data: unknown) => void {
    let before = nothing
    return (data) =>
      this.safely(() => {
        const bytes = bytesOf(data)
        if (bytes.length === 0) return
        const now = place()
        this.look(now, bytes)
        for (const sighting of acrossSeam(before, bytes)) this.judge(now, sighting)
        before = endOf(before, bytes)
      })
  }

  safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#tell({ place: 'the canary itself', what: String(error instanceof Error ? error.stack : error) })
    }
  }

  keepCounts(): void {
    this.#keptAt = performance.now()
    try {
      this.#options.folder.keep(this.#options.processName, { looks: this.#looks, shown: this.#shown })
    } catch {
      // The run has ended and its folder is deleted: the counts are no longer needed.
    }
  }

  count({ at }: Place, byteLength: number): void {
    const counts = this.#looks[at]
    counts[0] += 1
    counts[1] += byteLength
    if (performance.now() - this.#keptAt > keepEveryMs) this.keepCounts()
  }

  judge(place: Place, sighting: Sighting): void {
    const { origin, encoding, id } = sighting
    const what = `${id}… (${origin}, ${encoding})`
    if (!isMeant(place, sighting)) {
      this.#tell({ place: placeText(place), what })
    } else if (isForTheOnlyTime(place, sighting) && this.#shownOnce.has(id)) {
      this.#tell({ place: placeText(place), what: `${what}, shown for a second time` })
    } else {
      if (isForTheOnlyTime(place, sighting)) this.#shownOnce.add(id)
      this.#shown += 1
    }
  }

  #tell(found: { readonly place: string; readonly what: string }): void {
    const identity = `${found.place} ${found.what}`
    if (this.#told.has(identity)) return
    this.#told.add(identity)
    try {
      this.#options.folder.add({ test: this.#options.test(), ...found })
    } catch {
      // As above.
    }
  }
}

function bytesOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data
  if (typeof data === 'string') return Buffer.from(data, 'latin1')
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return nothing
}

/** Sightings that begin in the previous piece and end in this one. */
function acrossSeam(before: Buffer, bytes: Buffer): readonly Sighting[] {
  if (before.length === 0) return []
  const known = new Set(keyValuesIn(before).map(({ at }) => at))
  const seam = Buffer.concat([before, bytes.subarray(0, longestSighting)])
  return keyValuesIn(seam).filter(({ at }) => at < before.length && !known.has(at))
}

function endOf(before: Buffer, bytes: Buffer): Buffer {
  const end = bytes.length < longestSighting ? Buffer.concat([before, bytes]) : bytes
  return Buffer.from(end.subarray(Math.max(0, end.length - longestSighting)))
}
