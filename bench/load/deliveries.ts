import { sortedNumbers } from '../statistics.ts'

/**
 * When each watcher got each event. Every watcher gets every event once and in order, so the number of an event on a
 * watch is the number of the write; one watcher, whose events are read in full, tells which write that was.
 */
export class Deliveries {
  readonly #watchers: number
  readonly #counts: Uint32Array
  readonly #arrivals: Float64Array[] = []
  readonly #outstanding: number[] = []
  readonly #versions: string[] = []
  readonly #acknowledged = new Map<string, number>()
  #complete = 0
  onComplete: () => void = () => {}

  constructor(watchers: number) {
    this.#watchers = watchers
    this.#counts = new Uint32Array(watchers)
  }

  /** Writes that every watcher has seen. */
  get complete(): number {
    return this.#complete
  }

  get events(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }

  readonly arrived = (watcher: number, line: string | undefined): void => {
    const event = this.#counts[watcher] ?? 0
    this.#counts[watcher] = event + 1
    this.#arrivalsOf(event)[watcher] = performance.now()
    if (line !== undefined) this.#versions.push(resourceVersionOf(line))
    const outstanding = (this.#outstanding[event] ?? this.#watchers) - 1
    this.#outstanding[event] = outstanding
    if (outstanding > 0) return
    this.#complete += 1
    this.onComplete()
  }

  acknowledged(resourceVersion: string): void {
    this.#acknowledged.set(resourceVersion, performance.now())
  }

  /** From the acknowledgment of a write to its delivery, for every watcher; an event that came first took no time. */
  delaysMs(): Float64Array {
    const delays: number[] = []
    for (const [event, arrivals] of this.#arrivals.entries()) {
      const acknowledgedAt = this.#acknowledged.get(this.#versions[event] ?? '')
      if (acknowledgedAt === undefined) throw new Error('a watcher got an event that no write was acknowledged for')
      for (const arrivedAt of arrivals) delays.push(Math.max(0, arrivedAt - acknowledgedAt))
    }
    return sortedNumbers(delays)
  }

  #arrivalsOf(event: number): Float64Array {
    const known = this.#arrivals[event]
    if (known !== undefined) return known
    const arrivals = new Float64Array(this.#watchers)
    this.#arrivals.push(arrivals)
    return arrivals
  }
}

export function resourceVersionOf(json: string): string {
  const version = /"resourceVersion":"(\d+)"/.exec(json)?.[1]
  if (version === undefined) throw new Error(`no resourceVersion in ${json.slice(0, 200)}`)
  return version
}
