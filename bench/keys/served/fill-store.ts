import type { Kind } from '../../../src/api/kind.ts'
import { managementKinds } from '../../../src/api/management/kinds.ts'
import { apiVersionOf, type JsonObject, type KubeObject } from '../../../src/api/object.ts'
import { timestamp } from '../../../src/base/clock.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { sealedForm } from '../../../src/platform/access-keys/record/sealed-key.ts'
import { sealedBytes, toStoredBytes } from '../../../src/registry/document.ts'
import { storagePrefix } from '../../../src/registry/storage-key.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { keyNumber } from '../world.ts'

/** The domain of the measured platform. */
export const domain = 'platform.internal'
export const project = 'shop'

const owners = 10_000
const batch = 5_000
const dayMs = 86_400_000

/** A store as left by a platform with that many keys. Written directly, since the API would take half an hour. */
export async function fillStore(directory: string, keys: number): Promise<void> {
  const store = await openLmdbStore({ directory })
  const nowMs = Date.now()
  const write = (kind: Kind, object: KubeObject, sealed?: JsonObject) => {
    const bytes = toStoredBytes(kind, object, sealed === undefined ? undefined : sealedBytes(sealed))
    return store.create(storagePrefix(kind) + (object.metadata.name ?? ''), bytes)
  }
  await inBatches(owners, (number) => write(kindNamed('User'), user(number, nowMs)))
  await inBatches(keys, (number) => {
    const { keyId, hash } = keyNumber(number)
    const sealed = sealedForm({ hash, issuedAtMs: nowMs - dayMs })
    return write(kindNamed('OwnedAccessKey'), accessKey(number, keyId, nowMs), sealed)
  })
  await store.close()
}

async function inBatches(count: number, write: (number: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += batch) {
    const length = Math.min(batch, count - first)
    await Promise.all(Array.from({ length }, (_, at) => write(first + at)))
  }
}

const kinds = new Map(managementKinds(domain).map((kind) => [kind.kind, kind]))

function kindNamed(name: string): Kind {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`The platform has no kind ${name}.`)
  return kind
}

function metadata(name: string, nowMs: number) {
  return { name, uid: systemRandom.uuid(), creationTimestamp: timestamp(nowMs - dayMs), generation: 1 }
}

function user(number: number, nowMs: number): KubeObject {
  const name = `user-${number}`
  return {
    apiVersion: apiVersionOf(kindNamed('User')),
    kind: 'User',
    metadata: metadata(name, nowMs),
    spec: { displayName: name, groups: ['staff'] },
  }
}

/** Two of three have a scope, every third expires in a month. */
function accessKey(number: number, keyId: string, nowMs: number): KubeObject {
  const ttl = number % 3 === 1 ? { ttl: 30 * 86_400 } : {}
  const scope = number % 3 === 0 ? {} : { scope: { projects: [{ project: `project-${number % 1000}` }] } }
  return {
    apiVersion: apiVersionOf(kindNamed('OwnedAccessKey')),
    kind: 'OwnedAccessKey',
    metadata: metadata(`key-${number}`, nowMs),
    spec: { displayName: `Key ${number}`, user: `user-${number % owners}`, type: 'User', ...ttl, ...scope },
    status: {
      phase: 'Active',
      keyId,
      ...(number % 3 === 1 ? { expiresAt: timestamp(nowMs + 29 * dayMs) } : {}),
    },
  }
}
