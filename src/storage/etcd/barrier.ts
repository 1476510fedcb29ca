import type { EtcdConnection } from './connection.ts'
import type { Keyspace } from './keyspace.ts'
import { rangeMethod, txnMethod } from './methods.ts'
import type { RangeResponse } from './responses.ts'
import { barrierRequest } from './writes.ts'

export interface BarrierReading {
  /** The revision of the last write to this store, by any process: every write touches the barrier. */
  readonly lastWrite: number
  /** etcd's revision at that time, which other users of the same etcd advance too. */
  readonly etcdRevision: number
}

/**
 * Reports the current revision of the store. The watch delivers the barrier's events too, so a reader that waits for
 * the reported revision is certain to see it.
 */
export class Barrier {
  readonly #connection: EtcdConnection
  readonly #keys: Keyspace
  #reading: Promise<unknown> = Promise.resolve()
  #next: Promise<BarrierReading> | undefined

  constructor(connection: EtcdConnection, keys: Keyspace) {
    this.#connection = connection
    this.#keys = keys
  }

  /** Callers share a reading, but only one that starts after they called: an earlier one may miss their writes. */
  read(): Promise<BarrierReading> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      const reading = this.#readNow()
      this.#reading = reading.catch(() => undefined)
      return reading
    })
    return this.#next
  }

  async #readNow(): Promise<BarrierReading> {
    const reading = readingFrom(await this.#connection.call(rangeMethod, { key: this.#keys.barrier }, 'repeatable'))
    return reading ?? this.#create()
  }

  async #create(): Promise<BarrierReading> {
    const response = await this.#connection.call(txnMethod, barrierRequest(this.#keys), 'repeatable')
    if (response.succeeded) return { lastWrite: response.revision, etcdRevision: response.revision }
    const found = response.ranges[0]
    const reading = found === undefined ? undefined : readingFrom({ ...found, revision: response.revision })
    if (reading === undefined) throw new Error('etcd has no barrier key and does not store one')
    return reading
  }
}

function readingFrom(response: RangeResponse): BarrierReading | undefined {
  const barrier = response.items[0]
  return barrier === undefined ? undefined : { lastWrite: barrier.modRevision, etcdRevision: response.revision }
}
