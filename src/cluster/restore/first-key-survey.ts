import { objectIn, shownPart } from '../../backup/verify-backup.ts'
import { accessKeyHash, adminRecordKey, firstKeyName, readableRecord } from '../../platform/identity/admin-record.ts'
import type { StoredValue } from '../../storage/contract.ts'
import { accessKeyPlace } from './access-key-place.ts'
import { keyIn } from './revocations.ts'

/** What a backup contains about the first administrator's key. */
export interface FirstKey {
  /** The name of its access key. */
  readonly name: string
  /** Whether it was enabled, current and not expired when the backup was made. */
  readonly isGood: boolean
  /** Names of access keys that it replaced, and that were not deleted yet. */
  readonly replaced: readonly string[]
}

interface NotedRecord extends Pick<FirstKey, 'name' | 'replaced'> {
  readonly hash: string
  readonly isMade: boolean
}

/** Searches for it while a backup is read. Undefined: there is none. */
export class FirstKeySurvey {
  #record: NotedRecord | undefined
  #isGood = false

  add({ key, value }: StoredValue): void {
    if (key === adminRecordKey) this.#note(value)
    else if (accessKeyPlace.test(key) && this.#record !== undefined && key.endsWith(`/${this.#record.name}`))
      this.#isGood = isGoodKey(value, key, this.#record.hash)
  }

  result(): FirstKey | undefined {
    const record = this.#record
    // Older versions made no access key from it.
    return record && { name: record.name, isGood: this.#isGood || !record.isMade, replaced: record.replaced }
  }

  #note(value: Uint8Array): void {
    const record = readableRecord(value)
    if (record === undefined) return
    const { hash, isMade = false, replaced = [] } = record
    this.#record = { name: firstKeyName(record), hash: accessKeyHash(hash), isMade, replaced }
  }
}

function isGoodKey(value: Uint8Array, key: string, hash: string): boolean {
  const shown = shownPart(value)
  if (keyIn(objectIn(shown, key)).isEnded || shown.length === value.length) return false
  return objectIn(value.subarray(shown.length + 1), key).hash === hash
}
