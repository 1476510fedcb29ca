import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import { ownLicense } from '../../../auth/license/own-license.ts'
import { signLicense } from '../../../auth/license/sign.ts'
import { newAuthority } from '../../../base/certificates/authority-bundle.ts'
import { systemClock, timestamp } from '../../../base/clock.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { generateEd25519Pem, printEd25519PublicKey, readEd25519PrivateKey } from '../../../base/keys/ed25519.ts'
import { systemRandom } from '../../../base/random.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { type AdminRecord, readableRecord } from '../../../platform/identity/admin-record.ts'
import { dataKeyBytes } from '../../../storage/encryption/encrypted-value.ts'
import { printKeyLine } from '../../../storage/encryption/key-file.ts'
import type { Manifest } from '../../host/manifest.ts'
import { existing, servedTypeOf } from '../../host/objects.ts'
import type { Progress } from '../../output/progress.ts'
import { newAdminKey } from './admin-key.ts'
import { platformMetadata } from './manifests/labels.ts'
import {
  adminEntry,
  encryptionEntry,
  licenseEntries,
  type SecretVolume,
  secretVolumes,
} from './manifests/secret-volumes.ts'
import { platformSecrets } from './names.ts'
import type { PlatformSettings } from './settings.ts'

export interface SecretTools {
  readonly progress: Progress
  /** Called with the value of a key as soon as its hash is in the cluster; the value is not available again. */
  readonly onAdminKey: (value: string) => void
  /** The state of the existing platform's store; absent: it has none yet. */
  readonly keptStore?: KeptStore | undefined
}

export type KeptStore = 'plain' | 'encrypted'

/**
 * Creates the missing Secrets that the platform needs. Secrets that an operator must create are checked before any is
 * created. Returns whether the administrator's key is among the new ones.
 */
export async function ensureSecrets(
  host: KubeClient,
  settings: PlatformSettings,
  { progress, onAdminKey, keptStore }: SecretTools,
): Promise<boolean> {
  const { namespace } = settings
  let hasNewKey = false
  for (const volume of await missingSecrets(host, settings, keptStore)) {
    progress.step(`Secret ${namespace}/${volume.secretName}`)
    const { secret, adminKey } = await makeSecret(volume, namespace, keptStore)
    const isFirst = await createSecret(host, secret)
    if (!isFirst || adminKey === undefined) continue
    onAdminKey(adminKey)
    hasNewKey = true
  }
  return hasNewKey
}

/** The missing Secrets that are created here. Throws if another one is missing, or if an existing one is incomplete. */
async function missingSecrets(
  host: KubeClient,
  settings: PlatformSettings,
  keptStore: KeptStore | undefined,
): Promise<readonly SecretVolume[]> {
  const missing: SecretVolume[] = []
  for (const volume of secretVolumes(settings)) {
    const found = await existing(host, secretIn(settings.namespace, volume.secretName, {}))
    if (found !== undefined) requireEntries(found, volume)
    else if (volume.secretName === platformSecrets.encryption && keptStore === 'encrypted')
      throw encryptionKeysLost(volume, settings.namespace)
    else if (ownNames.has(volume.secretName)) missing.push(volume)
    else throw makeItFirst(volume, settings.namespace)
  }
  return missing
}

const ownNames: ReadonlySet<string> = new Set(Object.values(platformSecrets))

function makeItFirst({ secretName, entries }: SecretVolume, namespace: string): Error {
  return new Error(
    `there is no Secret ${secretName} in namespace ${namespace}; make it first, with ${entries.join(' and ')}, and run the command again`,
  )
}

/** Another key decrypts nothing, and Pods that restart with it would replace those that still have the right one. */
function encryptionKeysLost({ secretName, directory, entries }: SecretVolume, namespace: string): Error {
  const file = entries.join()
  return new Error(
    `the Secret ${secretName} of namespace ${namespace} is gone, and the store of the platform cannot be read without the keys in it. Restart no Pod. Take the keys from where you keep them, or from a Pod that still runs:
  kubectl -n ${namespace} exec POD -- cat ${directory}/${file} > ${file}
  kubectl -n ${namespace} create secret generic ${secretName} --from-file=${file}
and run the command again. If the store is gone too: tenant platform uninstall -n ${namespace} --delete-data, then install anew.`,
  )
}

/** Replaces the administrator's key. The former one ends when Pods restart. Returns the new one. */
export async function replaceAdminKey(host: KubeClient, namespace: string): Promise<string> {
  const found = await existing(host, secretIn(namespace, platformSecrets.admin, {}))
  const { value, record } = newAdminKey(systemClock, systemRandom, found && recordIn(found))
  const secret = adminSecret(namespace, record)
  const type = await servedTypeOf(host, secret)
  if (found === undefined) await host.create(type, secret)
  else await host.update(type, { ...found, data: secret.data })
  return value
}

interface MadeSecret {
  readonly secret: Manifest
  readonly adminKey?: string
}

async function makeSecret(
  volume: SecretVolume,
  namespace: string,
  keptStore: KeptStore | undefined,
): Promise<MadeSecret> {
  const { secretName } = volume
  switch (secretName) {
    case platformSecrets.admin: {
      const { value, record } = newAdminKey(systemClock, systemRandom)
      return { secret: adminSecret(namespace, record), adminKey: value }
    }
    case platformSecrets.authority: {
      const { key, cert } = await newAuthority(systemClock, systemRandom)
      const data = { 'tls.crt': cert, 'tls.key': key }
      return { secret: { ...secretIn(namespace, secretName, data), type: 'kubernetes.io/tls' } }
    }
    case platformSecrets.license:
      return { secret: secretIn(namespace, secretName, await newLicense()) }
    case platformSecrets.encryption:
      return { secret: secretIn(namespace, secretName, { [encryptionEntry]: newEncryptionKeys(keptStore) }) }
    default:
      throw makeItFirst(volume, namespace)
  }
}

/** Plain values in an existing store are read, and then encrypted. A new store has none. */
function newEncryptionKeys(keptStore: KeptStore | undefined): string {
  const name = `key-${timestamp(systemClock.now()).slice(0, 10)}`
  return `${printKeyLine(name, systemRandom.bytes(dataKeyBytes))}${keptStore === 'plain' ? 'identity\n' : ''}`
}

function adminSecret(namespace: string, record: AdminRecord): Manifest {
  return secretIn(namespace, platformSecrets.admin, { [adminEntry]: JSON.stringify(record) })
}

/** From an issuer whose key is discarded: it cannot issue a second license. */
async function newLicense(): Promise<Readonly<Record<string, string>>> {
  const issuer = readEd25519PrivateKey(generateEd25519Pem())
  const license = ownLicense({ id: systemRandom.uuid(), issuedTo: 'this installation' }, systemClock.now())
  return {
    [licenseEntries.license]: await signLicense(license, issuer),
    [licenseEntries.issuer]: printEd25519PublicKey(issuer),
  }
}

/** Whether this installation was first: if another one runs at the same time, the Secret of the first counts. */
async function createSecret(host: KubeClient, secret: Manifest): Promise<boolean> {
  try {
    await host.create(await servedTypeOf(host, secret), secret)
    return true
  } catch (error) {
    if (isRefusal(error, 409)) return false
    throw error
  }
}

function requireEntries({ metadata, data }: KubeObject, { entries }: SecretVolume): void {
  const missing = entries.filter((entry) => !isJsonObject(data) || !data[entry])
  if (missing.length === 0) return
  throw new Error(`the Secret ${metadata.name} of namespace ${metadata.namespace} lacks ${missing.join(' and ')}`)
}

function recordIn({ data }: KubeObject): AdminRecord | undefined {
  const encoded = isJsonObject(data) ? data[adminEntry] : undefined
  return typeof encoded === 'string' ? readableRecord(Buffer.from(encoded, 'base64')) : undefined
}

function secretIn(namespace: string, name: string, entries: Readonly<Record<string, string>>): Manifest {
  const encoded = Object.entries(entries).map(([entry, value]) => [entry, Buffer.from(value).toString('base64')])
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: platformMetadata(namespace, name),
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  }
}
