import type { Clock } from '../../base/clock.ts'
import type { Trouble } from '../contract.ts'

export type SyncState = 'in-step' | 'waiting' | 'failing'

export interface LastWrite {
  readonly side: 'virtual' | 'host'
  readonly verb: string
  readonly atMs: number
}

/** The state of one object. */
export interface ObjectState {
  readonly state: SyncState
  readonly trouble?: Trouble
  /** The number of its parts that the policy keeps from the host. */
  readonly refused?: number
  readonly lastWrite?: LastWrite
  /** Since when it is in step, or until when it was. Absent: it never was, as far as this process knows. */
  readonly inStepMs?: number
}

/** The states of one kind's objects, with current counts. */
export class StateTable {
  readonly #states = new Map<string, ObjectState>()
  readonly #clock: Clock
  readonly #counts: Record<SyncState, number> = { 'in-step': 0, waiting: 0, failing: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  count(state: SyncState): number {
    return this.#counts[state]
  }

  get(name: string): ObjectState | undefined {
    return this.#states.get(name)
  }

  set(name: string, state: SyncState, trouble?: Trouble, refused = 0): void {
    const before = this.#states.get(name)
    if (before?.state === state && before.trouble === undefined && trouble === undefined) return
    this.#replace(name, {
      state,
      ...(trouble && { trouble }),
      ...(refused > 0 && { refused }),
      ...(before?.lastWrite && { lastWrite: before.lastWrite }),
      ...this.#inStepAt(before, state),
    })
  }

  wrote(name: string, lastWrite: LastWrite): void {
    const before = this.#states.get(name)
    this.#replace(name, { state: 'waiting', ...before, lastWrite })
  }

  forget(name: string): void {
    this.#replace(name, undefined)
  }

  entries(): Iterable<readonly [string, ObjectState]> {
    return this.#states.entries()
  }

  #inStepAt(before: ObjectState | undefined, state: SyncState): Pick<ObjectState, 'inStepMs'> {
    const hasTurned = (before?.state === 'in-step') !== (state === 'in-step')
    const inStepMs = hasTurned ? this.#clock.now() : before?.inStepMs
    return inStepMs === undefined ? {} : { inStepMs }
  }

  #replace(name: string, after: ObjectState | undefined): void {
    const before = this.#states.get(name)
    if (before !== undefined) this.#counts[before.state]--
    if (after === undefined) this.#states.delete(name)
    else {
      this.#counts[after.state]++
      this.#states.set(name, after)
    }
  }
}
