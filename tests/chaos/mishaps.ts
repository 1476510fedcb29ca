import { seededFaults } from '../support/network/seeded-faults.ts'
import type { Cluster } from '../sync/support/clusters.ts'
import type { Syncer } from '../sync/support/syncer.ts'
import { configuration } from './configurations.ts'
import type { FaultyPath } from './faulty-path.ts'
import type { Mishap, Side } from './operations.ts'

/** Everything that can be made to fail. */
export interface Machinery {
  readonly seed: number
  readonly syncer: Syncer
  readonly clusters: Readonly<Record<Side, Cluster>>
  readonly paths: Readonly<Record<Side, FaultyPath>>
}

/** A mishap with a duration, and how it ends. */
export interface Lasting {
  readonly until: number
  readonly away: Side | undefined
  readonly what: string
  end(): Promise<void>
}

/** Each part fails in one way at a time: a dead server is not killed again. */
export class Mishaps {
  readonly #machinery: Machinery
  #lasting = new Map<string, Lasting>()
  #clockOffsetMs = 0
  variant = 0

  constructor(machinery: Machinery) {
    this.#machinery = machinery
  }

  get syncer(): Syncer {
    return this.#machinery.syncer
  }

  isAway(side: Side): boolean {
    return [...this.#lasting.values()].some(({ away }) => away === side)
  }

  /** Returns what happened, or why nothing did. */
  async begin(mishap: Mishap, index: number): Promise<string> {
    const { syncer, clusters, paths } = this.#machinery
    switch (mishap.do) {
      case 'kill syncer':
        return this.#last(
          'syncer',
          mishap,
          index,
          () => syncer.kill(),
          async () => syncer.launch(),
        )
      case 'kill server': {
        const { server } = clusters[mishap.side]
        return this.#last(
          mishap.side,
          mishap,
          index,
          () => server.kill(),
          () => server.start(),
        )
      }
      case 'freeze server': {
        const { server } = clusters[mishap.side]
        return this.#last(
          mishap.side,
          mishap,
          index,
          async () => server.freeze(),
          async () => server.thaw(),
        )
      }
      case 'weather': {
        const { tcp } = paths[mishap.side]
        const [begin, end] = [() => tcp.set(mishap.weather), () => tcp.set({ kind: 'fine' })]
        return this.#last(`weather ${mishap.side}`, mishap, index, begin, end)
      }
      case 'refuse': {
        const { https } = paths[mishap.side]
        const rates = { reads: mishap.percent, writes: mishap.percent, watches: mishap.percent }
        const begin = async () => https.choose(seededFaults(this.#machinery.seed + index, rates))
        const end = async () => https.choose(() => ({ kind: 'none' }))
        return this.#last(`refuse ${mishap.side}`, mishap, index, begin, end)
      }
      case 'drop connections':
        paths[mishap.side].tcp.drop()
        return 'done'
      case 'drop watches':
        paths[mishap.side].https.dropWatches()
        return 'done'
      case 'jump clock':
        this.#clockOffsetMs += mishap.ms
        syncer.setClock(this.#clockOffsetMs)
        return 'done'
      case 'configure':
        this.variant = mishap.variant
        syncer.configure(configuration(mishap.variant).text)
        return 'done'
    }
  }

  /** Ends the mishaps whose time is over. */
  async endUntil(index: number): Promise<void> {
    for (const [key, lasting] of [...this.#lasting]) {
      if (lasting.until > index) continue
      this.#lasting.delete(key)
      await lasting.end()
    }
  }

  async #last(
    key: string,
    mishap: Extract<Mishap, { readonly lasting: number }>,
    index: number,
    begin: () => Promise<void>,
    end: () => Promise<void>,
  ): Promise<string> {
    if (this.#lasting.has(key)) return 'it is away already'
    const away = key === 'virtual' || key === 'host' ? key : undefined
    this.#lasting.set(key, { until: index + mishap.lasting, away, what: mishap.do, end })
    await begin()
    return 'done'
  }
}
