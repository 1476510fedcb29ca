import { isRefusal } from '../../api/error.ts'
import { managedKeyLabel, managedKeyLabels } from '../../api/managed-secret.ts'
import type { KubeObject } from '../../api/object.ts'
import { defaultKeySecret } from '../../api/tenant-config/fields.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { applyToHost } from '../host/apply/apply-object.ts'
import { existing } from '../host/objects.ts'
import { instanceLabel } from '../host/owner-labels.ts'
import type { RegisteredInstance } from '../instances/registration.ts'
import { partsOf } from '../platform/keys/shown-once.ts'
import type { Session } from '../platform/session.ts'
import { manageKeySecret } from './managed-key-secret.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { objectLabels } from './manifests/labels.ts'
import { ensureProof } from './tenant-proof.ts'

export interface MintedKey {
  readonly platform: string
  readonly name: string
}

export interface TenantKeyOptions {
  /** Receives the reason why new values of the key will not get to the Secret. */
  readonly onUnmanaged: (text: string) => void
  /** UID of its object on the platform. Absent: there need not be one yet. */
  readonly instanceUid?: string
}

/**
 * The Secret with the key by which a tenant links: a new key that is valid only for this virtual cluster, never the key
 * of the user who creates it. An existing Secret stays, such as one of an attempt that was cut off: its key is returned,
 * if known, so that it is deleted with the virtual cluster. `registered` is the virtual cluster on the platform.
 */
export async function ensureTenantKey(
  host: KubeClient,
  tenant: Pick<TenantDeployment, 'name' | 'namespace'>,
  session: Session,
  registered: RegisteredInstance,
  { onUnmanaged, instanceUid }: TenantKeyOptions,
): Promise<{ readonly key: MintedKey; readonly isNew: boolean } | undefined> {
  const present = await existing(host, keySecret(tenant, {}))
  if (present !== undefined) {
    refuseOthers(present, tenant)
    const name = present.metadata.labels?.[managedKeyLabel]
    return name === undefined ? undefined : { key: { platform: session.platform.name, name }, isNew: false }
  }
  const authority = authorityOf(session.platform)
  const { name, value } = await mintKey(session, registered)
  await ensureProof(host, tenant, session, { ...registered, accessKey: value, instanceUid })
  const data = {
    accessKey: value,
    host: session.platform.url,
    ...registered,
    ...(authority !== undefined && { certificateAuthorityData: authority }),
  }
  const minted = { platform: session.platform.name, name }
  try {
    const { object } = await applyToHost(host, keySecret(tenant, data, name), undefined)
    await manage(session, name, object, onUnmanaged)
  } catch (error) {
    await revokeKey(session, minted)
    throw error
  }
  return { key: minted, isNew: true }
}

/** If this fails, only rotation suffers: the operator must then copy the new value to the host by hand. */
async function manage(
  session: Session,
  keyName: string,
  { metadata: { namespace = '', name = '', uid = '' } }: KubeObject,
  onUnmanaged: (text: string) => void,
): Promise<void> {
  const problem = await manageKeySecret(session, keyName, { namespace, name, uid })
  if (problem === undefined) return
  onUnmanaged(
    `when the access key ${keyName} is rotated, the new value must be written into the Secret ${namespace}/${name} by hand: ${problem}`,
  )
}

export function keySecret(
  tenant: Pick<TenantDeployment, 'name' | 'namespace'>,
  entries: Readonly<Record<string, string>>,
  keyName = '',
): KubeObject {
  const encoded = Object.entries(entries).map(([name, value]) => [name, Buffer.from(value).toString('base64')])
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: defaultKeySecret,
      namespace: tenant.namespace,
      labels: { ...objectLabels(tenant), ...(keyName !== '' && managedKeyLabels(keyName)) },
    },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  }
}

export async function revokeKey({ client, path }: Session, { name }: MintedKey): Promise<void> {
  try {
    await client.ask({ method: 'DELETE', path: `${path}/ownedaccesskeys/${encodeURIComponent(name)}` })
  } catch (error) {
    if (!isRefusal(error, 404)) throw error
  }
}

/**
 * Revokes a key that a record names, if it is limited to this virtual cluster: a user who may write the record could name
 * any key of the user. Returns whether it did, or there is no such key.
 */
export async function revokeRecordedKey(
  session: Session,
  key: MintedKey,
  { project, name }: RegisteredInstance,
): Promise<boolean> {
  const path = `${session.path}/ownedaccesskeys/${encodeURIComponent(key.name)}`
  try {
    const { roles } = asMembers(asMembers((await session.client.ask({ path })).spec).scope)
    if (!deepEqual(roles, scopeOf(project, name).roles)) return false
  } catch (error) {
    if (isRefusal(error, 404)) return true
    throw error
  }
  await revokeKey(session, key)
  return true
}

function scopeOf(project: string, name: string) {
  return { roles: [{ role: 'tenant', projects: [project], virtualClusters: [name] }] }
}

/** A key that is limited to another virtual cluster would only be refused. */
function refuseOthers(
  { metadata }: KubeObject,
  { name, namespace }: Pick<TenantDeployment, 'name' | 'namespace'>,
): void {
  const owner = metadata.labels?.[instanceLabel]
  if (owner === undefined || owner === name) return
  throw new Error(
    `the Secret ${defaultKeySecret} of namespace ${namespace} holds the key of the virtual cluster ${owner}; ` +
      'use another namespace, or name a separate Secret in external.platform.apiKey.secretName',
  )
}

async function mintKey({ client, path, apiVersion }: Session, { project, name: tenant }: RegisteredInstance) {
  const body = {
    apiVersion,
    kind: 'OwnedAccessKey',
    metadata: { generateName: `tenant-${tenant}-` },
    spec: {
      displayName: `Virtual cluster ${project}/${tenant}`,
      type: 'User',
      scope: scopeOf(project, tenant),
    },
  }
  const { name, spec } = partsOf(await client.ask({ method: 'POST', path: `${path}/ownedaccesskeys`, body }))
  if (spec.key) return { name, value: spec.key }
  throw new Error(`the platform created the key ${name} and did not return its value`)
}

function authorityOf({ trust, url }: KnownPlatform): string | undefined {
  if (trust.mode === 'authority') return trust.authority
  if (trust.mode === 'system') return undefined
  throw new Error(
    `a virtual cluster cannot be told to trust ${url} by a fingerprint; log in again with --ca FILE, the authority of the platform`,
  )
}
