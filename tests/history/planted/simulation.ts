import { Chance } from '../../support/chance.ts'
import type { Action, Call, Follow, Freshness, History, List, Outcome, Sight, Step } from '../checker/history.ts'
import { dataOf, FaultyStore, outcomeOf, type StoreFault } from './faulty-store.ts'

const names = ['a', 'b', 'c'] as const
const workers = 4
const turns = 1_200

interface Asked {
  readonly id: string
  readonly startedAt: number
  readonly action: Action
}

type WorkerState =
  | { readonly is: 'idle' }
  | { readonly is: 'asked'; readonly asked: Asked }
  | { readonly is: 'answered'; readonly asked: Asked; readonly answer: (endedAt: number) => Outcome }

/** A history of clients that take random turns. Each call takes effect at some time between request and answer. */
export function simulate(seed: number, fault?: StoreFault): History {
  return new Simulation(seed, fault).run()
}

class Simulation {
  readonly #chance: Chance
  readonly #store: FaultyStore
  readonly #calls: Call[] = []
  readonly #lists: List[] = []
  readonly #followers: { from: number; told: number; steps: Step[] }[] = []
  readonly #workers: WorkerState[] = Array.from({ length: workers }, () => ({ is: 'idle' }))
  /** Writes whose callers no longer wait, and which may still take effect. */
  readonly #stragglers: Action[] = []
  readonly #known = new Map<string, Sight>()
  #now = 0

  constructor(seed: number, fault: StoreFault | undefined) {
    this.#chance = new Chance(seed)
    this.#store = new FaultyStore(this.#chance, fault)
  }

  run(): History {
    this.#follow()
    for (this.#now = 1; this.#now < turns; this.#now += 1) this.#turn()
    for (const state of this.#workers) {
      if (state.is !== 'idle') this.#calls.push({ ...state.asked, server: 'one', outcome: { is: 'unknown' } })
    }
    for (const follower of this.#followers) this.#tell(follower, Number.POSITIVE_INFINITY)
    this.#list('latest')
    const follows = this.#followers.map(
      ({ from, steps }, index): Follow => ({ id: `watch-${index}`, from, steps, end: 'caught up' }),
    )
    return { calls: this.#calls, lists: this.#lists, follows }
  }

  #turn(): void {
    const dice = this.#chance.next()
    if (dice < 0.03) this.#list(this.#chance.pick(['latest', 'exact', 'any']))
    else if (dice < 0.035) this.#follow()
    else if (dice < 0.2) for (const each of this.#followers) this.#tell(each, 2)
    else if (dice < 0.22) this.#straggle()
    else this.#work(Math.floor(this.#chance.next() * workers))
  }

  #work(index: number): void {
    const state = this.#workers[index] ?? { is: 'idle' }
    if (state.is === 'idle') this.#workers[index] = { is: 'asked', asked: this.#ask(index) }
    else if (state.is === 'asked') this.#workers[index] = this.#serve(state.asked)
    else {
      this.#calls.push({ ...state.asked, server: 'one', outcome: state.answer(this.#now) })
      this.#workers[index] = { is: 'idle' }
    }
  }

  #ask(index: number): Asked {
    const id = `call-${this.#now}`
    const name = this.#chance.pick(names)
    const known = this.#known.get(name)
    const change = dataOf(`worker${index}`, id)
    const expected = known === undefined || this.#chance.next() < 0.3 ? {} : { expected: known.revision }
    const actions: readonly [Action, ...Action[]] = [
      { do: 'get', name, freshness: { state: 'latest' } },
      { do: 'create', name, data: change },
      { do: 'replace', name, data: { ...known?.data, ...change }, ...expected },
      { do: 'merge', name, data: change },
      { do: 'delete', name, ...expected },
    ]
    return { id, startedAt: this.#now, action: this.#chance.pick(actions) }
  }

  #serve(asked: Asked): WorkerState {
    const { action } = asked
    if (action.do === 'get') {
      const sight = this.#store.get(action.name)
      if (sight === undefined) return this.#answered(asked, { is: 'refused', because: 'absent', endedAt: 0 })
      this.#known.set(action.name, sight)
      return this.#answered(asked, { is: 'done', sight, endedAt: 0 })
    }
    if (this.#chance.next() < 0.03) {
      this.#stragglers.push(action)
      return this.#answered(asked, { is: 'unknown' })
    }
    return this.#answered(asked, outcomeOf(this.#store.write(action), 0))
  }

  #answered(asked: Asked, outcome: Outcome): WorkerState {
    const answer = (endedAt: number) => (outcome.is === 'unknown' ? outcome : { ...outcome, endedAt })
    return { is: 'answered', asked, answer }
  }

  #straggle(): void {
    const action = this.#stragglers.pop()
    if (action !== undefined && action.do !== 'get' && this.#chance.next() < 0.7) this.#store.write(action)
  }

  #list(state: Freshness['state']): void {
    const revision = Math.max(100, this.#store.revision - (state === 'latest' ? 0 : 5))
    const freshness: Freshness = state === 'exact' || state === 'not older' ? { state, revision } : { state }
    const page = { at: this.#now + 0.5, revision, items: this.#store.at(revision) }
    const id = `list-${this.#now}`
    this.#lists.push({ id, server: 'one', startedAt: this.#now, freshness, pages: [page], isWhole: true })
  }

  #follow(): void {
    this.#followers.push({ from: this.#store.revision, told: this.#store.log.length, steps: [] })
  }

  #tell(follower: { told: number; steps: Step[] }, most: number): void {
    const { log } = this.#store
    const next = log.slice(follower.told, follower.told + most)
    follower.told += next.length
    next.forEach(({ type, sight }, index) => {
      follower.steps.push({ is: 'event', at: this.#now + index / 1_000, type, sight })
    })
    if (follower.told !== log.length || this.#chance.next() > 0.1) return
    const last = log.at(-1)
    if (last !== undefined) follower.steps.push({ is: 'bookmark', at: this.#now + 0.9, revision: last.sight.revision })
  }
}
