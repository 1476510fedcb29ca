import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../../support/chance.ts'
import type { Action, Data, Freshness, Sight } from '../checker/history.ts'
import type { Caller } from './caller.ts'
import type { NamedTransport, Transports } from './connections.ts'
import type { Recorder } from './recorder.ts'

const names = ['a', 'b', 'c', 'd'] as const
const whenDownMs = 30

export interface WorkerOptions {
  readonly name: string
  readonly caller: Caller
  readonly recorder: Recorder
  readonly chance: Chance
  readonly transports: Transports
  /** The revision with which the round began. */
  readonly firstRevision: number
}

/** A client that reads and writes the few shared objects, one request after the other. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #known = new Map<string, Sight | undefined>()
  #newest: number

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#newest = options.firstRevision
  }

  async workUntil(isOver: () => boolean): Promise<void> {
    const { chance, transports } = this.#options
    while (!isOver()) {
      const isHeard = chance.next() < 0.12 ? await this.#list() : await this.#call(chance.pick(transports))
      if (!isHeard) await delay(whenDownMs)
      else if (chance.next() < 0.2) await delay(chance.between(0, 20))
    }
  }

  async #call(transport: NamedTransport): Promise<boolean> {
    const { caller, recorder, name: worker } = this.#options
    const id = recorder.nextId(worker)
    const action = this.#nextAction(id)
    const outcome = await caller.call(id, action, transport)
    if (outcome?.is === 'done') this.#learn(action.name, outcome.sight)
    if (outcome?.is === 'refused' && outcome.because === 'absent') this.#learn(action.name, undefined)
    return outcome !== undefined && !(outcome.is === 'refused' && outcome.because === 'unavailable')
  }

  async #list(): Promise<boolean> {
    const { caller, chance, transports } = this.#options
    const limit = chance.pick([0, 0, 1, 2])
    const list = await caller.list(this.#freshness(true), limit, () => chance.pick(transports))
    for (const { items } of list?.pages ?? []) for (const item of items) this.#learn(item.name, item)
    return list !== undefined
  }

  #nextAction(id: string): Action {
    const { chance } = this.#options
    const name = chance.pick(names)
    const known = this.#known.get(name)
    const change: Data = { [this.#options.name]: id, last: id }
    const expected = known === undefined || chance.next() < 0.3 ? {} : { expected: known.revision }
    const dice = chance.next()
    if (dice < 0.3) return { do: 'get', name, freshness: this.#freshness(false) }
    if (dice < 0.45) return { do: 'create', name, data: change }
    if (dice < 0.65) return { do: 'replace', name, data: { ...known?.data, ...change }, ...expected }
    if (dice < 0.88) return { do: 'merge', name, data: change, ...(chance.next() < 0.6 ? {} : expected) }
    const expectedUid = known === undefined || chance.next() < 0.5 ? {} : { expectedUid: known.uid }
    return { do: 'delete', name, ...expectedUid, ...(chance.next() < 0.6 ? {} : expected) }
  }

  #freshness(isList: boolean): Freshness {
    const { chance, firstRevision } = this.#options
    const dice = chance.next()
    if (dice < 0.6) return { state: 'latest' }
    if (dice < 0.7) return { state: 'any' }
    if (dice < 0.85 || !isList) return { state: 'not older', revision: this.#newest }
    return { state: 'exact', revision: Math.floor(chance.between(firstRevision, this.#newest + 1)) }
  }

  #learn(name: string, sight: Sight | undefined): void {
    this.#known.set(name, sight)
    if (sight !== undefined) this.#newest = Math.max(this.#newest, sight.revision)
  }
}
