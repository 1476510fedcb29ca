import type { KubeObject } from '../../../api/object.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Manifest } from '../manifest.ts'
import { existing } from '../objects.ts'
import { applyToHost } from './apply-object.ts'
import { isMadeFor, shownObject } from './objects.ts'

/**
 * What was applied, kept beside it: an upgrade compares with it, a failed one returns to it, and a removal removes all
 * of it. It never contains values of keys.
 */
export interface AppliedRecord {
  readonly manifests: readonly Manifest[]
  readonly madeNamespace: boolean
}

/**
 * The Secret in which a record is kept. Its labels are those of all recorded objects: a user who may write the Secret
 * can name no other objects.
 */
export interface RecordPlace {
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}

const version = 1
const entry = 'applied.json'

export async function readRecord<T extends AppliedRecord>(
  host: KubeClient,
  place: RecordPlace,
  isRecord: (value: AppliedRecord) => value is T,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const secret = await existing(host, recordSecretAt(place, {}), signal)
  if (secret === undefined) return undefined
  const encoded = isJsonObject(secret.data) ? secret.data[entry] : undefined
  const value: unknown = JSON.parse(Buffer.from(String(encoded ?? ''), 'base64').toString('utf8') || 'null')
  if (!isApplied(value) || !isRecord(value)) {
    throw new Error(`the Secret ${place.name} of namespace ${place.namespace} was written by another release`)
  }
  const foreign = value.manifests.filter((manifest) => !isMadeFor(manifest, recordSecretAt(place, {})))
  if (foreign.length === 0) return value
  throw new Error(
    `the Secret ${place.name} of namespace ${place.namespace} names objects of others: ${foreign.map(shownObject).join(', ')}; ` +
      'it was changed by others. Nothing was changed; restore it, or remove the objects by hand',
  )
}

export async function writeRecordAt(
  host: KubeClient,
  place: RecordPlace,
  record: AppliedRecord,
  signal?: AbortSignal,
): Promise<void> {
  const text = JSON.stringify({ version, ...record })
  const secret = recordSecretAt(place, { [entry]: Buffer.from(text).toString('base64') })
  await applyToHost(host, secret, undefined, signal)
}

export function recordSecretAt(place: RecordPlace, data: Readonly<Record<string, string>>): KubeObject {
  const { name, namespace, labels } = place
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels }, type: 'Opaque', data }
}

function isApplied(value: unknown): value is AppliedRecord {
  if (!isJsonObject(value) || value.version !== version) return false
  return Array.isArray(value.manifests) && value.manifests.every(isManifest)
}

function isManifest(value: unknown): boolean {
  return isJsonObject(value) && typeof value.apiVersion === 'string' && isJsonObject(value.metadata)
}
