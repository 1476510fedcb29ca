import { type Call, type History, isWrite, type Moment, print, type Sight, type Violation } from './history.ts'
import { absent, after, changesNothing, type State } from './register.ts'
import type { Timeline } from './timeline.ts'

/** Far more than any correct history of a round has needed. */
const maxSteps = 500_000

/** For every object there must be an order of its calls, each within its time, in which each answer is right. */
export function checkLinearizability(history: History, timeline: Timeline): readonly Violation[] {
  const names = new Set(history.calls.map(({ action }) => action.name))
  return [...names].flatMap((name) => {
    const calls = history.calls.filter(({ action }) => action.name === name).filter(isOrdered)
    const made = madeBy(timeline, name)
    const search = new Search(calls.map((call) => pending(call, made.get(call.id))))
    const stuck = search.run()
    return stuck === undefined ? [] : [{ rule: 'calls are linearizable' as const, text: `${name}: ${stuck}` }]
  })
}

/** Reads that may be stale have no place in the order. */
function isOrdered({ action, outcome }: Call): boolean {
  if (action.do !== 'get') return outcome.is !== 'refused' || outcome.because !== 'unavailable'
  return action.freshness.state === 'latest' && outcome.is !== 'unknown'
}

/** The state that each write made, whether or not its caller got an answer. */
function madeBy(timeline: Timeline, name: string): ReadonlyMap<string, Sight> {
  const states = timeline.changesOf(name).filter(({ is }) => is === 'state')
  return new Map(states.map(({ sight }) => [sight.data.last ?? '', sight]))
}

interface Pending {
  readonly call: Call
  readonly made: Sight | undefined
  /** Infinity for a write whose outcome is unknown. */
  readonly endedAt: Moment
  /** Whether it certainly took effect. */
  readonly isCertain: boolean
}

function pending(call: Call, sighted: Sight | undefined): Pending {
  const { outcome, action } = call
  const made = isWrite(action) && outcome.is === 'done' ? (outcome.sight ?? sighted) : sighted
  if (outcome.is === 'unknown') {
    return { call, made, endedAt: Number.POSITIVE_INFINITY, isCertain: made !== undefined }
  }
  return { call, made: isWrite(action) ? made : undefined, endedAt: outcome.endedAt, isCertain: true }
}

/**
 * The search of Wing and Gong, which tries every call that may be next, with Lowe's memory of tried states. A matching
 * call that changes nothing is taken at once, because it can only match worse later; writes with known revisions are
 * taken in their order.
 */
class Search {
  /** In the order in which they began. */
  readonly #calls: readonly Pending[]
  /** Indexes of the calls with a known revision, in the order of revisions. */
  readonly #byRevision: readonly number[]
  readonly #taken: boolean[]
  readonly #tried = new Set<string>()
  #steps = 0
  /** The longest order so far, for the report. */
  #best: { readonly count: number; readonly state: State; readonly next: readonly Call[] } | undefined

  constructor(calls: readonly Pending[]) {
    this.#calls = [...calls].sort((left, right) => left.call.startedAt - right.call.startedAt)
    this.#taken = this.#calls.map(() => false)
    const revisions = this.#calls.map(({ made }) => made?.revision)
    this.#byRevision = [...revisions.keys()]
      .filter((index) => revisions[index] !== undefined)
      .sort((left, right) => (revisions[left] ?? 0) - (revisions[right] ?? 0))
  }

  /** Why there is no order; undefined if there is one. */
  run(): string | undefined {
    if (this.#extend(absent)) return undefined
    if (this.#steps > maxSteps) return `undecided after ${maxSteps} steps, ${this.#calls.length} calls`
    const { state, next = [] } = this.#best ?? {}
    return `no order of its calls explains the answers. At ${print(state)} none of these fits: ${next.map(print).join(', ')}`
  }

  #extend(state: State): boolean {
    const passed = this.#takeAllThatPass(state)
    if (this.#isComplete()) return true
    const memory = this.#memory(state)
    if (!this.#tried.has(memory) && this.#steps++ <= maxSteps) {
      this.#tried.add(memory)
      const candidates = this.#candidates()
      this.#note(state, candidates)
      for (const index of candidates) if (this.#try(index, state)) return true
    }
    for (const index of passed) this.#taken[index] = false
    return false
  }

  #try(index: number, state: State): boolean {
    const { call, made } = this.#calls[index] ?? {}
    if (call === undefined || changesNothing(call)) return false
    const next = after(state, call, made)
    if (next === undefined) return false
    this.#taken[index] = true
    if (this.#extend(next)) return true
    this.#taken[index] = false
    return false
  }

  #takeAllThatPass(state: State): readonly number[] {
    const passed: number[] = []
    for (let found = true; found; ) {
      found = false
      for (const index of this.#candidates()) {
        const { call, made } = this.#calls[index] ?? {}
        if (call === undefined || !changesNothing(call) || after(state, call, made) === undefined) continue
        this.#taken[index] = true
        passed.push(index)
        found = true
      }
    }
    return passed
  }

  /** The calls that began before any other remaining call had ended. */
  #candidates(): readonly number[] {
    const nextMade = this.#byRevision.find((index) => !this.#taken[index])
    const candidates: number[] = []
    let firstEnd = Number.POSITIVE_INFINITY
    for (let index = this.#taken.indexOf(false); index >= 0 && index < this.#calls.length; index += 1) {
      const each = this.#calls[index]
      if (each === undefined || this.#taken[index]) continue
      if (each.call.startedAt > firstEnd) break
      firstEnd = Math.min(firstEnd, each.endedAt)
      if (each.made === undefined || index === nextMade) candidates.push(index)
    }
    return candidates
  }

  #memory(state: State): string {
    const first = this.#taken.indexOf(false)
    const last = this.#taken.lastIndexOf(true)
    const between = this.#taken.slice(first, last + 1).map(Number)
    return `${first} ${between.join('')} ${JSON.stringify(state)}`
  }

  #isComplete(): boolean {
    return this.#calls.every(({ isCertain }, index) => !isCertain || this.#taken[index])
  }

  #note(state: State, candidates: readonly number[]): void {
    const count = this.#taken.filter(Boolean).length
    if (this.#best !== undefined && this.#best.count >= count) return
    const next = candidates.flatMap((index) => this.#calls[index]?.call ?? [])
    this.#best = { count, state, next }
  }
}
