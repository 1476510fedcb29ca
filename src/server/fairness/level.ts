import { Rotation } from '../../base/concurrency/rotation.ts'
import type { RequestFlow } from './contract.ts'
import type { LevelRules } from './levels.ts'
import { OwnerCounts } from './owner-counts.ts'

/** A request that waits for its turn. Exactly one of `enter` and `refuse` is called. */
export interface Waiter {
  readonly flow: RequestFlow
  /** An answer that is ready needs only a turn, not a place. */
  readonly needsPlace: boolean
  readonly deadlineMs: number
  /** Whether the client no longer waits for the answer. */
  isOver(): boolean
  enter(): void
  refuse(): void
}

/** The requests of one level: those that have a place, and those that wait. Independent of time and turns. */
export class FairnessLevel {
  readonly rules: LevelRules
  readonly #placesOf = new OwnerCounts()
  /** By owner; the one whose turn it is comes first. */
  readonly #waitingOf = new Map<string, Rotation<Waiter>>()
  #inPlace = 0
  #waiting = 0
  /** Counted since the start. */
  refused = 0
  admitted = 0

  constructor(rules: LevelRules) {
    this.rules = rules
  }

  get inPlace(): number {
    return this.#inPlace
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Whether the flow can proceed at once: no earlier request of its owner waits and, if it needs a place, one is free.
   */
  isFree(flow: RequestFlow, needsPlace: boolean): boolean {
    return !this.#waitingOf.has(flow.owner) && (!needsPlace || this.#hasPlace(flow.owner))
  }

  enter({ owner }: RequestFlow): void {
    this.#inPlace += 1
    this.#placesOf.add(owner)
  }

  leave({ owner }: RequestFlow): void {
    this.#inPlace -= 1
    this.#placesOf.remove(owner)
    this.#moveBack(owner)
  }

  /**
   * If the queue is full, the owner with the most waiting requests gives way: the newcomer, unless others have more.
   */
  wait(waiter: Waiter): void {
    const { owner, key } = waiter.flow
    if (!this.#canWait(this.#waitingOf.get(owner)?.size ?? 0)) {
      this.refuse(waiter)
      return
    }
    const queue = this.#waitingOf.get(owner) ?? new Rotation<Waiter>()
    queue.add(key, waiter)
    this.#waitingOf.set(owner, queue)
    this.#waiting += 1
  }

  /** The next request that can proceed or has waited too long. Its owner then moves to the end. */
  next(nowMs: number): Waiter | undefined {
    if (this.#waiting === 0) return undefined
    for (const [owner, queue] of this.#waitingOf) {
      const head = queue.peek()
      if (head === undefined || !this.#canLeave(head, nowMs)) continue
      this.#take(owner, queue)
      return head
    }
    return undefined
  }

  refuse(waiter: Waiter): void {
    this.refused += 1
    waiter.refuse()
  }

  #canWait(ownWaiting: number): boolean {
    const { waiting, waitingPerOwner } = this.rules
    return ownWaiting < waitingPerOwner && (this.#waiting < waiting || this.#makeRoom(ownWaiting))
  }

  #canLeave({ flow, needsPlace, deadlineMs }: Waiter, nowMs: number): boolean {
    return !needsPlace || deadlineMs <= nowMs || this.#hasPlace(flow.owner)
  }

  #hasPlace(owner: string): boolean {
    const { places, placesPerOwner } = this.rules
    return this.#inPlace < places && this.#placesOf.of(owner) < placesPerOwner
  }

  /** The owner that was just served moves behind those that wait for the first time. */
  #moveBack(owner: string): void {
    const queue = this.#waitingOf.get(owner)
    if (queue === undefined || this.#waitingOf.size === 1) return
    this.#waitingOf.delete(owner)
    this.#waitingOf.set(owner, queue)
  }

  #take(owner: string, queue: Rotation<Waiter>): Waiter | undefined {
    const waiter = queue.take()
    this.#waitingOf.delete(owner)
    if (queue.size > 0) this.#waitingOf.set(owner, queue)
    this.#waiting -= 1
    return waiter
  }

  #makeRoom(ownWaiting: number): boolean {
    let longest: [string, Rotation<Waiter>] | undefined
    for (const entry of this.#waitingOf) {
      if (longest === undefined || entry[1].size > longest[1].size) longest = entry
    }
    if (longest === undefined || longest[1].size <= ownWaiting + 1) return false
    const waiter = this.#take(...longest)
    if (waiter !== undefined) this.refuse(waiter)
    return true
  }
}
