import { tooManyRequests } from '../../api/error.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit } from '../http.ts'
import type { RequestFlow } from './contract.ts'
import { flowOf, type KnownFlow } from './flow.ts'
import { OwnerCounts } from './owner-counts.ts'

export interface BodyBudget {
  readonly bodiesPerOwner: number
  /** Limits for all owners together. */
  readonly bodies: number
  readonly bytes: number
}

export interface BodiesOptions {
  readonly callers: BodyBudget
  /** Strangers are not authenticated, so they share much less. */
  readonly strangers: BodyBudget
  readonly knownFlow?: KnownFlow | undefined
}

/** A body that has begun to arrive. */
interface Arriving {
  readonly owner: string
  bytes: number
  isGivenUp: boolean
  readonly giveUp: (reason: Error) => void
}

/**
 * Bodies that are still arriving. They hold no place yet, so one that never arrives blocks no other request. They cost
 * memory, which is divided among owners: when it is used up, the owner who holds the most gives way.
 */
export class Bodies {
  readonly #callers: Pool
  readonly #strangers: Pool
  readonly #knownFlow: KnownFlow | undefined

  constructor({ callers, strangers, knownFlow }: BodiesOptions) {
    this.#callers = new Pool(callers)
    this.#strangers = new Pool(strangers)
    this.#knownFlow = knownFlow
  }

  get size(): number {
    return this.#callers.size + this.#strangers.size
  }

  get bytes(): number {
    return this.#callers.bytes + this.#strangers.bytes
  }

  read(exchange: Exchange, limit: BodyLimit): Promise<Buffer> {
    const flow = flowOf(exchange, this.#knownFlow)
    return this.#poolOf(flow).read(exchange, flow.owner, limit)
  }

  #poolOf({ level }: RequestFlow): Pool {
    return level === 'strangers' || level === 'health' ? this.#strangers : this.#callers
  }
}

class Pool {
  readonly #budget: BodyBudget
  #arriving = new Set<Arriving>()
  readonly #countOf = new OwnerCounts()
  bytes = 0

  constructor(budget: BodyBudget) {
    this.#budget = budget
  }

  get size(): number {
    return this.#arriving.size
  }

  read(exchange: Exchange, owner: string, limit: BodyLimit): Promise<Buffer> {
    const count = this.#countOf.of(owner)
    if (count >= this.#budget.bodiesPerOwner) {
      exchange.endsConnection = true
      throw tooMany(`${count} of your request bodies are still being sent`)
    }
    return new Promise((resolve, reject) => {
      const giveUp = (reason: Error) => {
        exchange.endsConnection = true
        reject(reason)
      }
      const body: Arriving = { owner, bytes: 0, isGivenUp: false, giveUp }
      this.#arriving.add(body)
      this.#countOf.add(owner)
      if (this.size > this.#budget.bodies) this.#giveUpOneOf(this.#ownerOfMost(() => 1))
      exchange.request
        .readBody({ ...limit, goOn: (bytes) => this.#grow(body, bytes) })
        .finally(() => this.#remove(body))
        .then(resolve, reject)
    })
  }

  /** Returns whether more is accepted. */
  #grow(body: Arriving, bytes: number): boolean {
    if (body.isGivenUp) return false
    body.bytes += bytes
    this.bytes += bytes
    if (this.bytes > this.#budget.bytes) this.#giveUpOneOf(this.#ownerOfMost((each) => each.bytes))
    return !body.isGivenUp
  }

  #ownerOfMost(weigh: (body: Arriving) => number): string {
    const weights = new Map<string, number>()
    for (const body of this.#arriving) weights.set(body.owner, (weights.get(body.owner) ?? 0) + weigh(body))
    const [first = ['', 0]] = [...weights].sort(([, left], [, right]) => right - left)
    return first[0]
  }

  /** The largest body, or among equals the oldest. */
  #giveUpOneOf(owner: string): void {
    const [largest] = [...this.#arriving].filter((body) => body.owner === owner).sort((a, b) => b.bytes - a.bytes)
    if (largest === undefined) return
    largest.isGivenUp = true
    this.#remove(largest)
    largest.giveUp(tooMany('too many request bodies are being sent'))
  }

  #remove(body: Arriving): void {
    if (!this.#arriving.delete(body)) return
    this.bytes -= body.bytes
    this.#countOf.remove(body.owner)
    // A long-lived Set retains memory of what it held; see Bag. Here the order matters, so a new Set is made.
    if (this.#arriving.size === 0) this.#arriving = new Set()
  }
}

function tooMany(what: string) {
  return tooManyRequests(`${what}, please try again later`, 1)
}
