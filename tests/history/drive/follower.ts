import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../../support/chance.ts'
import type { Follow, Sight, Step } from '../checker/history.ts'
import { isTrouble, parsed, revisionIn, sightOf, type WatchLine } from './answers.ts'
import type { Caller } from './caller.ts'
import type { Collection } from './collection.ts'
import type { NamedTransport, Transports } from './connections.ts'
import type { Recorder } from './recorder.ts'
import type { StreamEnd } from './transport.ts'

const betweenTriesMs = 30
const initialEventsEnd = 'k8s.io/initial-events-end'

/** How a follower begins: with a list, with initial events in the stream, or at a revision of the past. */
export type Beginning = 'list' | 'initial events' | { readonly revision: number }

export interface FollowerOptions {
  readonly name: string
  readonly beginning: Beginning
  readonly caller: Caller
  readonly collection: Collection
  readonly recorder: Recorder
  readonly chance: Chance
  readonly transports: Transports
}

interface InitialState {
  readonly server: string
  readonly startedAt: number
  readonly items: readonly Sight[]
  readonly revision: number
}

/** A client that keeps watching from its last revision, on any server, across failures. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #stop = new AbortController()
  #from: number | undefined
  #steps: Step[] = []
  #reached = 0
  #isExpired = false
  #following: Promise<void> = Promise.resolve()

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  start(): void {
    this.#following = this.#follow()
  }

  hasReached(revision: number): boolean {
    return this.#reached >= revision
  }

  async stop(goal: number): Promise<void> {
    this.#stop.abort()
    await this.#following
    this.#record(this.hasReached(goal) ? 'caught up' : 'behind')
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const next = this.#options.chance.pick(this.#options.transports)
      if (this.#from !== undefined) await this.#resume(this.#from, next)
      else if (this.#options.beginning === 'initial events') await this.#beginWithState(next)
      else await this.#begin(next)
      await delay(betweenTriesMs)
    }
  }

  async #begin(next: NamedTransport): Promise<void> {
    const { beginning, caller } = this.#options
    if (typeof beginning === 'object' && !this.#isExpired) return this.#startAt(beginning.revision)
    const list = await caller.list({ state: 'latest' }, 0, () => next)
    if (list?.pages[0] !== undefined) this.#startAt(list.pages[0].revision)
  }

  #startAt(revision: number): void {
    this.#from = revision
    this.#reached = revision
  }

  /** The events up to the marked bookmark are a list; those after it are a watch from there. */
  async #beginWithState({ server, transport }: NamedTransport): Promise<void> {
    const { collection } = this.#options
    const startedAt = performance.now()
    const items: Sight[] = []
    const onLine = (line: string) => {
      const event = this.#eventIn(line)
      if (event === undefined) return
      if (this.#from !== undefined || event.type === 'ERROR') this.#take(event)
      else if (isEndOfState(event))
        this.#startAfterState({ server, startedAt, items, revision: revisionIn(event.object) })
      else if (event.type !== 'BOOKMARK' && this.#isOurs(event)) items.push(sightOf(event.object))
    }
    const parameters = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' }
    const path = collection.watch(parameters)
    this.#ended(await transport.stream({ path, signal: this.#stop.signal, onLine }))
  }

  #startAfterState({ server, startedAt, items, revision }: InitialState): void {
    const { recorder } = this.#options
    const id = recorder.nextId('initial')
    const page = { at: performance.now(), revision, items }
    recorder.lists.push({ id, server, startedAt, freshness: { state: 'latest' }, pages: [page], isWhole: true })
    this.#startAt(revision)
    this.#steps.push({ is: 'resumed', at: startedAt, server })
  }

  async #resume(from: number, { server, transport }: NamedTransport): Promise<void> {
    const { chance, collection } = this.#options
    const resourceVersion = String(Math.max(from, this.#reached))
    // A watch that the server ends regularly gets a bookmark before.
    const limits: Readonly<Record<string, string>> =
      chance.next() < 0.3 ? { timeoutSeconds: '1', allowWatchBookmarks: 'true' } : {}
    this.#steps.push({ is: 'resumed', at: performance.now(), server })
    const onLine = (line: string) => {
      const event = this.#eventIn(line)
      if (event !== undefined) this.#take(event)
    }
    const path = collection.watch({ resourceVersion, ...limits })
    this.#ended(await transport.stream({ path, signal: this.#stop.signal, onLine }))
  }

  #eventIn(line: string): WatchLine | undefined {
    const event = parsed<WatchLine>(line)
    if (event === undefined)
      this.#options.recorder.surprises.push(`watch: no JSON: ${JSON.stringify(line.slice(0, 400))}`)
    return event
  }

  #take(event: WatchLine): void {
    const { type, object } = event
    if (type === 'ERROR') this.#failed(object.code ?? 0, JSON.stringify(object))
    else this.#reached = Math.max(this.#reached, revisionIn(object))
    const at = performance.now()
    if (type === 'BOOKMARK') this.#steps.push({ is: 'bookmark', at, revision: revisionIn(object) })
    else if (type !== 'ERROR' && this.#isOurs(event)) {
      this.#steps.push({ is: 'event', at, type, sight: sightOf(object) })
    }
  }

  #ended(end: StreamEnd): void {
    if (end.is === 'refused') this.#failed(end.status, end.text)
  }

  /** Lost history ends this follower; another one begins with a list. */
  #failed(status: number, text: string): void {
    if (status === 410) {
      this.#record('expired')
      this.#isExpired = true
    } else if (!isTrouble(status)) this.#options.recorder.surprises.push(`watch: ${status} ${text.slice(0, 400)}`)
  }

  #isOurs({ object }: WatchLine): boolean {
    return this.#options.collection.isOurs(object.metadata?.name)
  }

  #record(end: Follow['end']): void {
    const { name, recorder } = this.#options
    if (this.#from === undefined) {
      if (end === 'behind') recorder.surprises.push(`${name} could not begin to watch`)
      return
    }
    recorder.follows.push({ id: recorder.nextId(name), from: this.#from, steps: this.#steps, end })
    this.#from = undefined
    this.#steps = []
  }
}

function isEndOfState({ type, object }: WatchLine): boolean {
  return type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEnd] === 'true'
}
