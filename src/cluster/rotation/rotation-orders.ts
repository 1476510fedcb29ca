import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { RevisionCompacted, type Store, StoreUnavailable } from '../../storage/contract.ts'
import { DirectoryTurn } from './directory-turn.ts'
import { type RotationOrder, readOrder, rotationOrderKey, writeOrder } from './rotation-order.ts'

const retryMs = 500

export interface RotationOrdersOptions {
  readonly store: Store
  /** The file in which the replicas of a directory note the order that was followed there. */
  readonly file: string
  /** Changes the files of the directory. */
  readonly follow: (order: RotationOrder) => Promise<void>
  /** Uses the files of the directory, whichever replica has changed them. */
  readonly adopt: () => Promise<void>
  readonly log: Log
}

/** Rotation orders, from this replica and others. Following one twice after a crash does no harm. */
export class RotationOrders {
  readonly #options: RotationOrdersOptions
  readonly #stop = new AbortController()
  /** One after the other, because each writes files. */
  #last: Promise<void> = Promise.resolve()
  #running: Promise<void> = Promise.resolve()
  readonly #turn: DirectoryTurn
  /** The id of the order whose results this process uses. */
  #followed: string | undefined

  constructor(options: RotationOrdersOptions) {
    const { store, file } = options
    this.#options = options
    this.#turn = new DirectoryTurn({ store, directory: dirname(file), signal: this.#stop.signal })
  }

  start(): void {
    this.#running = this.#watch()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.#last
  }

  /** Resolves when this replica has followed it. */
  async give(order: RotationOrder): Promise<void> {
    await writeOrder(this.#options.store, order)
    await this.#take(order)
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const { items, revision } = await this.#options.store.list(rotationOrderKey)
        for (const { value } of items) await this.#takeStored(value)
        for await (const { changes } of this.#options.store.watch(rotationOrderKey, {
          afterRevision: revision,
          signal,
        })) {
          for (const { type, value } of changes) if (type !== 'deleted') await this.#takeStored(value)
        }
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof RevisionCompacted || error instanceof StoreUnavailable)) throw error
        await rest(retryMs, signal)
      }
    }
  }

  async #takeStored(value: Uint8Array): Promise<void> {
    const order = readOrder(value)
    if (order === undefined) return
    try {
      await this.#take(order)
    } catch (error) {
      if (error instanceof StoreUnavailable || this.#stop.signal.aborted) throw error
      this.#options.log.error('certificates and keys stay as they are: the order to replace them failed', { error })
    }
  }

  #take(order: RotationOrder): Promise<void> {
    const taken = this.#last.then(() => this.#followOrAdopt(order))
    this.#last = taken.catch(() => {})
    return taken
  }

  async #followOrAdopt(order: RotationOrder): Promise<void> {
    const { file, follow, adopt } = this.#options
    if (this.#followed === order.id) return
    if (noted(file) !== order.id) {
      await this.#turn.take(async () => {
        if (noted(file) === order.id) return
        await follow(order)
        writeWhole(file, `${order.id}\n`)
      })
    }
    // Not within the turn, since a certificate is made in a turn of its own.
    await adopt()
    this.#followed = order.id
  }
}

function noted(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
