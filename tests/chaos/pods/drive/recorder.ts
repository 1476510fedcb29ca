import { setTimeout as delay } from 'node:timers/promises'
import { ApiClient } from '../../../reliability/support/api-client.ts'
import type { Watching } from '../../../reliability/support/watching.ts'
import type { Access } from '../../../sync/support/cluster-client.ts'
import { type Collection, collectionPath } from '../../../sync/support/objects.ts'
import type { Seen, Side, Sight } from '../checker/account.ts'

const betweenTriesMs = 30

export interface Followed {
  readonly side: Side
  readonly kind: Collection
  readonly namespace: string
}

/** Records all watch events of both worlds, across failures of their servers. */
export class Recorder {
  readonly sights: Sight[] = []
  /** How often history was lost, so that states in between are unknown. */
  gaps = 0
  readonly #clients: Readonly<Record<Side, ApiClient>>
  readonly #now: Readonly<Record<Side, Map<string, Seen>>> = { virtual: new Map(), host: new Map() }
  readonly #open = new Set<Watching>()
  #isStopped = false
  #following: readonly Promise<void>[] = []

  readonly #clock: () => number

  constructor(access: Readonly<Record<Side, Access>>, clock: () => number = Date.now) {
    this.#clock = clock
    this.#clients = { virtual: new ApiClient(access.virtual, 20), host: new ApiClient(access.host, 20) }
  }

  start(followed: readonly Followed[]): void {
    this.#following = followed.map((each) => this.#follow(each))
  }

  /** The last known state. */
  all(side: Side, kind: string): readonly Seen[] {
    return [...this.#now[side].values()].filter((each) => each.kind === kind)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#open].map((each) => each.stop()))
    await Promise.all(this.#following)
    await Promise.all(Object.values(this.#clients).map((each) => each.close()))
  }

  async #follow(followed: Followed): Promise<void> {
    let last: string | undefined
    while (!this.#isStopped) {
      last = last === undefined ? await this.#list(followed) : await this.#watch(followed, last)
      await delay(betweenTriesMs)
    }
  }

  /** The version up to which everything was reported; undefined if the list failed. */
  async #list({ side, kind, namespace }: Followed): Promise<string | undefined> {
    const answer = await this.#clients[side].request('GET', collectionPath(kind, namespace)).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    const items = (answer.body.items ?? []).map((item) => ({ ...item, kind: kind.kind }) as unknown as Seen)
    const there = new Set(items.map(({ metadata }) => metadata.uid))
    const known = this.all(side, kind.kind).filter(({ metadata }) => metadata.namespace === namespace)
    for (const gone of known) if (!there.has(gone.metadata.uid)) this.#take({ side, type: 'DELETED', object: gone })
    for (const object of items) this.#take({ side, type: this.#typeOf(side, object), object })
    return answer.body.metadata.resourceVersion
  }

  #typeOf(side: Side, { metadata }: Seen): Sight['type'] {
    return this.#now[side].has(metadata.uid) ? 'MODIFIED' : 'ADDED'
  }

  /** The version to resume from; undefined if history is lost. */
  async #watch({ side, kind, namespace }: Followed, after: string): Promise<string | undefined> {
    let last: string | undefined = after
    try {
      const watching = await this.#clients[side].watch(collectionPath(kind, namespace), after)
      this.#open.add(watching)
      watching.onEvent = ({ type, object }) => {
        if (type === 'ERROR' || last === undefined) {
          last = undefined
          return
        }
        last = object.metadata.resourceVersion ?? last
        if (type !== 'BOOKMARK') this.#take({ side, type: type as Sight['type'], object: object as unknown as Seen })
      }
      await watching.ended
      this.#open.delete(watching)
      if (watching.status === 410) last = undefined
    } catch {}
    if (last === undefined) this.gaps += 1
    return last
  }

  #take(sight: Omit<Sight, 'atMs'>): void {
    const { side, type, object } = sight
    this.sights.push({ ...sight, atMs: this.#clock() })
    if (type === 'DELETED') this.#now[side].delete(object.metadata.uid)
    else this.#now[side].set(object.metadata.uid, object)
  }
}
