import { tooManyRequests } from '../../api/error.ts'
import type { Clock } from '../../base/clock.ts'
import { whenSettled } from '../../base/concurrency/when-settled.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import type { Exchange } from '../exchange.ts'
import type { Limits } from '../limits.ts'
import type { LevelName, RequestFlow } from './contract.ts'
import { flowOf, type KnownFlow } from './flow.ts'
import { FairnessLevel, type Waiter } from './level.ts'
import { levelNames, levelRules } from './levels.ts'
import type { LoopTurn } from './loop-turn.ts'
import { Newcomers } from './newcomers.ts'

export interface GateOptions {
  readonly limits: Limits
  /** For durations. */
  readonly elapsed: Clock
  readonly turn: LoopTurn
  readonly knownFlow?: KnownFlow | undefined
  /** Called for callers who would have to wait: administrators have separate places. */
  readonly isAdministrator?: ((exchange: Exchange) => boolean) | undefined
}

const sweepMs = 250

/**
 * Every request passes here once, when its caller is known and all of it has arrived. A request needs a turn and,
 * unless its answer is ready, a place of its level. One iteration of the event loop has a limited number of turns. When
 * more requests arrive, the levels take turns, then the owners within a level, then the keys of an owner. An owner who
 * sends more requests delays only their own, and one with nothing waiting does not wait for the next iteration.
 */
export class Gate {
  readonly #options: GateOptions
  readonly #levels: ReadonlyMap<LevelName, FairnessLevel>
  /** The level whose turn it is comes first. */
  #order: FairnessLevel[]
  /** Turns left in this iteration of the event loop. */
  #left: number
  readonly #turn: LoopTurn
  #isScheduled = false
  #sweeper: NodeJS.Timeout | undefined
  readonly #refusals: LeakyBuckets
  readonly #newcomers: Newcomers

  constructor(options: GateOptions) {
    const { limits, elapsed } = options
    this.#options = options
    this.#turn = options.turn
    this.#levels = new Map(
      levelNames.map((name) => [name, new FairnessLevel(levelRules(name, limits.maxRequestsInFlight))]),
    )
    this.#order = [...this.#levels.values()]
    this.#left = limits.requestsPerTurn
    this.#newcomers = new Newcomers(limits.newcomersPerTurn)
    const refillMs = 1000 / limits.refusalsPerSecond
    this.#refusals = new LeakyBuckets({ clock: elapsed, burst: limits.refusalsPerSecond, refillMs, most: 10_000 })
  }

  get #hasTurn(): boolean {
    return this.#left > 0 && !this.#turn.isOver
  }

  get levels(): ReadonlyMap<LevelName, FairnessLevel> {
    return this.#levels
  }

  /** Returns no promise while there is room: most requests proceed at once. */
  pass(exchange: Exchange, needsPlace: boolean): undefined | Promise<undefined> {
    const flow = this.#flowOf(exchange, needsPlace)
    const level = this.#level(flow)
    if (level.isFree(flow, needsPlace) && (this.#hasTurn || this.#newcomers.take(`${flow.level}/${flow.owner}`))) {
      this.#useTurn()
      this.#enter(exchange, flow, level, needsPlace)
      return
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        flow,
        needsPlace,
        deadlineMs: this.#options.elapsed.now() + this.#options.limits.longestWaitMs,
        isOver: () => isGone(exchange),
        enter: () => {
          this.#enter(exchange, flow, level, needsPlace)
          resolve(undefined)
        },
        refuse: () => reject(this.#refusal(exchange, flow)),
      }
      level.wait(waiter)
      this.#schedule()
      this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref()
    })
  }

  stop(): void {
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  #flowOf(exchange: Exchange, needsPlace: boolean): RequestFlow {
    const flow = flowOf(exchange, this.#options.knownFlow)
    if (flow.level !== 'callers') return flow
    if (this.#hasTurn && this.#level(flow).isFree(flow, needsPlace)) return flow
    return this.#options.isAdministrator?.(exchange) === true ? { ...flow, level: 'administrators' } : flow
  }

  #level({ level }: RequestFlow): FairnessLevel {
    const found = this.#levels.get(level)
    if (found === undefined) throw new Error(`There is no level ${level}.`)
    return found
  }

  #enter(exchange: Exchange, flow: RequestFlow, level: FairnessLevel, needsPlace: boolean): void {
    exchange.flow = flow
    level.admitted += 1
    if (!needsPlace) return
    level.enter(flow)
    exchange.leave = () => {
      exchange.leave = undefined
      level.leave(flow)
      if (level.waiting > 0) this.#schedule()
    }
  }

  /** A client that keeps sending requests despite refusals loses its connection, unless it is a proxy's. */
  #refusal(exchange: Exchange, flow: RequestFlow): Error {
    exchange.flow = flow
    const isTooOften = !isGone(exchange) && this.#refusals.add(`${flow.level}/${flow.owner}`) > 0
    if (isTooOften && exchange.request.peer.proxies === undefined) exchange.endsConnection = true
    return tooManyRequests('Too many requests, please try again later.', 1)
  }

  #useTurn(): void {
    this.#left -= 1
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn(): void {
    this.#isScheduled = false
    this.#left = this.#options.limits.requestsPerTurn
    const nowMs = this.#options.elapsed.now()
    this.#turn.begin()
    this.#goOn(nowMs)
  }

  /** One after the other: only a finished request shows how long it took; the rest waits for the next iteration. */
  #goOn(nowMs: number): void {
    while (this.#left > 0) {
      const waiter = this.#next(nowMs)
      if (waiter === undefined) return
      if (waiter.isOver()) {
        waiter.refuse()
        continue
      }
      this.#left -= 1
      if (waiter.deadlineMs <= nowMs) {
        this.#level(waiter.flow).refuse(waiter)
        continue
      }
      waiter.enter()
      whenSettled(() => (this.#turn.isOver ? this.#schedule() : this.#goOn(nowMs)))
      return
    }
    this.#schedule()
  }

  #next(nowMs: number): Waiter | undefined {
    for (const level of this.#order) {
      const waiter = level.next(nowMs)
      if (waiter === undefined) continue
      this.#order = [...this.#order.filter((other) => other !== level), level]
      return waiter
    }
    return undefined
  }

  /** Checks requests that wait for a place, even if none is released. */
  #sweep(): void {
    if (this.#order.every(({ waiting }) => waiting === 0)) this.stop()
    else this.#schedule()
  }
}

function isGone({ isOver, request }: Exchange): boolean {
  return isOver || request.isGone
}
