import { createHash, type Hash } from 'node:crypto'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { objectsRoot } from '../../registry/storage-key.ts'
import type { StoredValue } from '../../storage/contract.ts'
import { BackupRefused } from '../backup-refused.ts'

/** What a backup holds of one kind. */
export interface KindTotals {
  readonly entries: number
  readonly bytes: number
  /** Over keys, revisions and values, in the order of the keys, in hexadecimal. */
  readonly sha256: string
}

export interface BackupTotals {
  readonly entries: number
  /** By `group/plural`, or by path for entries that are not objects. */
  readonly kinds: Readonly<Record<string, KindTotals>>
}

/** More than a cluster can have. */
const mostKinds = 10_000

/** Counts entries as they pass, and ensures that each comes once and in order. */
export class Tally {
  readonly #kinds = new Map<string, { entries: number; bytes: number; readonly hash: Hash }>()
  #entries = 0
  #lastKey: Buffer = Buffer.alloc(0)

  add({ key, revision, value }: StoredValue): void {
    const keyBytes = Buffer.from(key)
    if (Buffer.compare(keyBytes, this.#lastKey) <= 0)
      throw new BackupRefused(`the entry ${key} is repeated or out of order`)
    this.#lastKey = keyBytes
    const kind = this.#kindOf(key)
    kind.entries += 1
    kind.bytes += value.byteLength
    // Includes the lengths, so that no two different lists of entries have the same text.
    kind.hash.update(`${keyBytes.length} ${revision} ${value.byteLength}\n`).update(keyBytes).update(value)
    this.#entries += 1
  }

  /** Ends the count: no entry can follow. */
  totals(): BackupTotals {
    const kinds = [...this.#kinds].map(([name, { entries, bytes, hash }]) => {
      const totals: KindTotals = { entries, bytes, sha256: hash.digest('hex') }
      return [name, totals] as const
    })
    return { entries: this.#entries, kinds: Object.fromEntries(kinds) }
  }

  #kindOf(key: string) {
    const name = kindOfKey(key)
    const known = this.#kinds.get(name)
    if (known !== undefined) return known
    if (this.#kinds.size >= mostKinds) throw new BackupRefused(`it holds more than ${mostKinds} kinds`)
    const kind = { entries: 0, bytes: 0, hash: createHash('sha256') }
    this.#kinds.set(name, kind)
    return kind
  }
}

/** `apps/deployments` for an object, and the first part of the path for everything else. */
export function kindOfKey(key: string): string {
  if (!key.startsWith(objectsRoot)) return key.split('/', 2).join('/')
  return key.slice(objectsRoot.length).split('/', 2).join('/')
}

/** Throws BackupRefused if they are invalid. */
export function totalsOf({ entries, kinds }: Readonly<Record<string, unknown>>): BackupTotals {
  if (typeof entries !== 'number' || !isJsonObject(kinds)) throw unreadable()
  return { entries, kinds: Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kindTotals(kind)])) }
}

function kindTotals(value: unknown): KindTotals {
  const { entries, bytes, sha256 } = asMembers(value)
  if (typeof entries !== 'number' || typeof bytes !== 'number' || typeof sha256 !== 'string') throw unreadable()
  return { entries, bytes, sha256 }
}

function unreadable(): BackupRefused {
  return new BackupRefused('its table of contents is unreadable')
}

/** The differences for people; undefined if there are none. */
export function differenceOf(told: BackupTotals, found: BackupTotals): string | undefined {
  for (const name of new Set([...Object.keys(told.kinds), ...Object.keys(found.kinds)])) {
    const [one, other] = [told.kinds[name], found.kinds[name]]
    if (one?.entries !== other?.entries)
      return `${name}: expected ${one?.entries ?? 0} entries, found ${other?.entries ?? 0}`
    if (one?.sha256 !== other?.sha256) return `${name}: the content of an entry has changed`
  }
  return told.entries === found.entries ? undefined : `expected ${told.entries} entries, found ${found.entries}`
}
