import type { ListResult, RangeOptions, ReadOptions, StoredValue } from '../contract.ts'
import type { EtcdConnection } from './connection.ts'
import type { EtcdRange, Keyspace } from './keyspace.ts'
import { rangeMethod } from './methods.ts'
import type { EtcdKeyValue, RangeResponse } from './responses.ts'

const firstPage = 100
const largestPage = 10_000
/** Keeps a message far below the limits of gRPC, and a page quick to send. */
const pageBytes = 4 * 1024 * 1024

/** Reads page by page, all at the revision of the first page. */
export async function listRange(
  connection: EtcdConnection,
  keys: Keyspace,
  range: EtcdRange,
  options: RangeOptions,
): Promise<ListResult> {
  const wanted = options.limit ?? Number.POSITIVE_INFINITY
  const items: StoredValue[] = []
  const take = options.each ?? ((item: StoredValue) => void items.push(item))
  let taken = 0
  let revision = revisionToRead(options)
  let start = range.key
  let pageSize = firstPage
  for (;;) {
    const limit = Math.min(pageSize, wanted - taken)
    // In etcd, a limit of 0 means no limit.
    const request = { key: start, rangeEnd: range.rangeEnd, limit, revision, countOnly: limit === 0 }
    const page: RangeResponse = await connection.call(rangeMethod, request, 'repeatable', options.signal)
    revision ||= page.revision
    for (const item of page.items) {
      const held = take(toStored(keys, item))
      if (held !== undefined) await held
    }
    taken += page.items.length
    const remaining = page.count - page.items.length
    const last = page.items.at(-1)
    if (remaining <= 0 || taken >= wanted || last === undefined) return { items, revision, remaining }
    start = Buffer.concat([last.key, Uint8Array.of(0)])
    pageSize = nextPageSize(page.items)
  }
}

/** In etcd, 0 means the newest revision. Revision 1 is as empty as revision 0. */
export function revisionToRead(options: ReadOptions): number {
  return options.atRevision === undefined ? 0 : Math.max(1, options.atRevision)
}

export function toStored(keys: Keyspace, item: EtcdKeyValue): StoredValue {
  return { key: keys.fromEtcd(item.key), value: item.value, revision: item.modRevision }
}

function nextPageSize(items: readonly EtcdKeyValue[]): number {
  const bytes = items.reduce((sum, item) => sum + item.key.byteLength + item.value.byteLength, 1)
  return Math.min(largestPage, Math.max(1, Math.floor((pageBytes * items.length) / bytes)))
}
