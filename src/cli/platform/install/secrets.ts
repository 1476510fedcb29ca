import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import { licensedFeatures } from '../../../auth/license/contract.ts'
import { signLicense } from '../../../auth/license/sign.ts'
import { newAuthority } from '../../../base/certificates/ensure.ts'
import { systemClock } from '../../../base/clock.ts'
import { generateEd25519Pem, printEd25519PublicKey, readEd25519PrivateKey } from '../../../base/ed25519.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { systemRandom } from '../../../base/random.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { type AdminRecord, readableRecord } from '../../../platform/identity/admin-record.ts'
import type { Manifest } from '../../host/manifest.ts'
import { existing, servedTypeOf } from '../../host/objects.ts'
import type { Progress } from '../../output/progress.ts'
import { newAdminKey } from './admin-key.ts'
import { platformMetadata } from './manifests/labels.ts'
import { adminEntry, licenseEntries, type SecretVolume, secretVolumes } from './manifests/secret-volumes.ts'
import { platformSecrets } from './names.ts'
import type { PlatformSettings } from './settings.ts'

export interface SecretTools {
  readonly progress: Progress
  /** Called with the value of a key as soon as its hash is in the cluster, which is the last time that it is known. */
  readonly onAdminKey: (value: string) => void
}

/**
 * Makes the Secrets that the platform needs and that are not there. What an operator has to make is looked for before any is
 * made. Returns whether the administrator's key is among those that were made.
 */
export async function ensureSecrets(
  host: KubeClient,
  settings: PlatformSettings,
  { progress, onAdminKey }: SecretTools,
): Promise<boolean> {
  const { namespace } = settings
  let hasNewKey = false
  for (const volume of await missingSecrets(host, settings)) {
    progress.step(`Secret ${namespace}/${volume.secretName}`)
    const { secret, adminKey } = await makeSecret(volume, namespace)
    const isFirst = await createSecret(host, secret)
    if (!isFirst || adminKey === undefined) continue
    onAdminKey(adminKey)
    hasNewKey = true
  }
  return hasNewKey
}

/** Those that are made here. Throws where one that is not is absent, or one that is there lacks something. */
async function missingSecrets(host: KubeClient, settings: PlatformSettings): Promise<readonly SecretVolume[]> {
  const missing: SecretVolume[] = []
  for (const volume of secretVolumes(settings)) {
    const found = await existing(host, secretIn(settings.namespace, volume.secretName, {}))
    if (found !== undefined) requireEntries(found, volume)
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

/** Replaces the administrator's key. The former one ends when Pods start anew. Returns the new one. */
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

async function makeSecret(volume: SecretVolume, namespace: string): Promise<MadeSecret> {
  const { secretName } = volume
  switch (secretName) {
    case platformSecrets.admin: {
      const { value, record } = newAdminKey(systemClock, systemRandom)
      return { secret: adminSecret(namespace, record), adminKey: value }
    }
    case platformSecrets.authority: {
      const { key, cert } = await newAuthority(systemClock)
      const data = { 'tls.crt': cert, 'tls.key': key }
      return { secret: { ...secretIn(namespace, secretName, data), type: 'kubernetes.io/tls' } }
    }
    case platformSecrets.license:
      return { secret: secretIn(namespace, secretName, await ownLicense()) }
    default:
      throw makeItFirst(volume, namespace)
  }
}

function adminSecret(namespace: string, record: AdminRecord): Manifest {
  return secretIn(namespace, platformSecrets.admin, { [adminEntry]: JSON.stringify(record) })
}

/** Everything, without an end, by an issuer whose key is forgotten: there will be no second license of it. */
async function ownLicense(): Promise<Readonly<Record<string, string>>> {
  const issuer = readEd25519PrivateKey(generateEd25519Pem())
  const license = {
    id: systemRandom.uuid(),
    issuedTo: 'this installation',
    features: licensedFeatures,
    limits: {},
    issuedAtMs: systemClock.now(),
  }
  return {
    [licenseEntries.license]: await signLicense(license, issuer),
    [licenseEntries.issuer]: printEd25519PublicKey(issuer),
  }
}

/** Whether this one was first: another installation may run at the same time, and then its Secret counts. */
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
