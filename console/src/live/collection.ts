import type { KubeObject } from '../api/objects.ts'
import { type Failure, type Fetched, listed } from '../fetched/fetched.ts'
import type { Change, LiveState, Sink } from './contract.ts'
import { follow } from './follow.ts'
import { fullNameOf, ObjectsByName } from './objects-by-name.ts'

/** The shortest interval between notifications, so that a burst of changes is drawn only a few times a second. */
const tellEveryMs = 200

/** How long a collection without subscribers is kept up to date, in case the user returns. */
const lingerMs = 30_000

/** All objects at one path, kept up to date while there are subscribers. */
export class LiveCollection<T extends KubeObject> implements Sink<T> {
  readonly #path: string
  readonly #onState: () => void
  readonly #objects = new ObjectsByName<T>()
  /** The names in the current list so far; absent if there is nothing that it could miss. */
  #listedNames: Set<string> | undefined
  #snapshot: Fetched<readonly T[]> = { state: 'loading' }
  #state: LiveState = { phase: 'loading' }
  /** Whether everything was listed at least once. */
  #isLoaded = false
  #listeners = new Set<() => void>()
  #stop: AbortController | undefined
  #lingering: ReturnType<typeof setTimeout> | undefined
  #telling: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(path: string, onState: () => void) {
    this.#path = path
    this.#onState = onState
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    clearTimeout(this.#lingering)
    if (this.#stop === undefined) this.#start()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#lingering = setTimeout(() => this.close(), lingerMs)
    }
  }

  readonly snapshot = (): Fetched<readonly T[]> => this.#snapshot

  /** Asks at once, instead of after the next pause or never. */
  readonly retry = (): void => {
    this.#stop?.abort()
    this.#start()
    this.#tellNow()
    this.#onState()
  }

  get isInterrupted(): boolean {
    return this.#stop !== undefined && this.#state.phase === 'interrupted'
  }

  close(): void {
    this.#stop?.abort()
    this.#stop = undefined
    clearTimeout(this.#lingering)
    this.#state = { phase: 'loading' }
  }

  listed(objects: readonly T[], isFirst: boolean): void {
    if (isFirst) this.#listedNames = this.#objects.size === 0 ? undefined : new Set()
    for (const object of objects) {
      this.#listedNames?.add(fullNameOf(object))
      this.#objects.put(object)
    }
    this.#tellSoon()
  }

  listEnded(): void {
    if (this.#listedNames !== undefined) this.#objects.retain(this.#listedNames)
    this.#listedNames = undefined
    this.#isLoaded = true
    this.#tellNow()
  }

  changed(changes: readonly Change<T>[]): void {
    for (const { type, object } of changes) {
      if (type === 'remove') this.#objects.remove(object)
      else this.#objects.put(object)
    }
    this.#tellSoon()
  }

  state(state: LiveState): void {
    if (state.phase === this.#state.phase) return
    this.#state = state
    this.#tellNow()
    this.#onState()
  }

  #start(): void {
    this.#stop = new AbortController()
    this.#state = { phase: 'loading' }
    this.#snapshot = this.#fetched()
    void follow(this.#path, this, this.#stop.signal)
  }

  #tellSoon(): void {
    if (this.#telling !== undefined) return
    const waitMs = Math.max(0, this.#toldAt + tellEveryMs - performance.now())
    this.#telling = setTimeout(() => this.#tellNow(), waitMs)
  }

  #tellNow(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    this.#toldAt = performance.now()
    this.#snapshot = this.#fetched()
    for (const listener of this.#listeners) listener()
  }

  #fetched(): Fetched<readonly T[]> {
    const objects = this.#objects.all()
    switch (this.#state.phase) {
      case 'loading':
      case 'live':
        return this.#isLoaded ? listed(objects) : { state: 'loading', soFar: objects }
      case 'interrupted':
        return this.#isLoaded ? listed(objects) : { state: 'failed', failure: this.#failure(this.#state.problem) }
      case 'refused':
        return { state: 'failed', failure: this.#failure(this.#state.problem) }
    }
  }

  #failure(problem: unknown): Failure {
    return { problem, retry: this.retry }
  }
}
