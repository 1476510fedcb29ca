import type { KeyIndex, KeyRecord, OwnerDirectory, OwnerState } from '../../src/auth/keys/contract.ts'
import { createKeyIndex } from '../../src/auth/keys/index/key-index.ts'
import { type KeyValue, mintKey } from '../../src/auth/keys/values/key-value.ts'
import { compileScope, type ScopeEnvironment } from '../../src/auth/scope/compile.ts'
import { type Random, systemRandom } from '../../src/base/random.ts'
import { KeysByOwner } from '../../src/platform/access-keys/record/keys-by-owner.ts'
import { cpuMs } from './measure.ts'

export const managementGroup = 'management.example.com'
export const environment: ScopeEnvironment = { managementGroup, isClusterScoped: () => undefined }
export const startMs = Date.parse('2026-01-01T00:00:00Z')

const owners = Number(process.env.OWNERS ?? 100_000)
const projects = 1000
const batch = 10_000

export interface World {
  readonly index: KeyIndex
  readonly keysByOwner: KeysByOwner
  readonly loadingMs: number
}

/** As many keys as a very large platform would have. Their values are regenerated when needed: nothing keeps them. */
export function createIndex(keys: number): World {
  const keysByOwner = new KeysByOwner()
  const index = createKeyIndex({ compileScope: (scope) => compileScope(scope, environment) })
  let loadingMs = 0
  for (let first = 0; first < keys; first += batch) {
    const length = Math.min(batch, keys - first)
    const records = Array.from({ length }, (_, at) => recordOf(first + at, keyNumber(first + at)))
    const startedMs = cpuMs()
    for (const record of records) {
      index.upsert(record)
      keysByOwner.add(record.owner, record.name)
    }
    loadingMs += cpuMs() - startedMs
  }
  return { index, keysByOwner, loadingMs }
}

/** The same key for the same number. */
export function keyNumber(number: number): KeyValue {
  return mintKey(randomFrom(number))
}

function randomFrom(seed: number): Random {
  let state = (seed + 1) * 2_654_435_761
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 255
  }
  return { uuid: systemRandom.uuid, bytes: (length) => Uint8Array.from({ length }, next) }
}

/** Every third has no scope, every third expires. The strings are new ones, as if read from a store. */
function recordOf(number: number, { keyId, hash }: KeyValue): KeyRecord {
  const record: KeyRecord = {
    name: `key-${number}`,
    uid: systemRandom.uuid(),
    keyId,
    hash,
    owner: { kind: 'user', name: `user-${number % owners}` },
    groups: [],
    type: 'User',
    disabled: false,
    deletionRequested: false,
    createdAtMs: startMs - number,
    ttlSeconds: number % 3 === 1 ? 30 * 24 * 3600 : 0,
    ttlAfterLastActivity: number % 6 === 1,
    ...(number % 3 === 0 ? {} : { scope: { projects: [{ project: `project-${number % projects}` }] } }),
  }
  return JSON.parse(JSON.stringify(record))
}

export function createOwners(): OwnerDirectory {
  const users = new Map<string, OwnerState>()
  for (let number = 0; number < owners; number++) {
    const name = `user-${number}`
    users.set(name, { subject: name, groups: ['staff'], teams: [`team-${number % 100}`], locked: false })
  }
  return { user: (name) => users.get(name), team: () => undefined }
}
