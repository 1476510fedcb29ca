import { isRefusal } from '../../api/error.ts'
import { identitySecretName } from '../../api/link.ts'
import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { namespaceType, secretType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { Trouble } from '../../sync/contract.ts'
import { enabledKinds } from '../../sync/kinds/enabled.ts'
import { copySelector, isCopyOf } from '../../sync/names/markers.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { servedTypes } from '../../sync/run/served-types.ts'

/** In the Secret with the proof: the virtual cluster that the copies on the host were made from. */
const entry = 'copies-of'
const notReadable = 'not readable'

export const copiesOfAnotherReason = 'CopiesOfAnother'

export interface WhoseCopiesOptions {
  readonly identity: TenantPlace
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** Whether the virtual cluster is embedded, so that it will have the namespace kube-system. */
  readonly virtualFollowsHostAddresses: boolean
}

/**
 * The reason why copies on the host must not be touched: they were made from another virtual cluster. Its store was
 * lost, or a second process runs under its name, and this one would delete all copies, volumes included. Undefined:
 * they are its own, or there are none.
 */
export async function whoseCopies(
  options: WhoseCopiesOptions,
  config: EffectiveConfig,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const { identity, host } = options
  const [uid, noted] = await Promise.all([clusterUid(options, signal), notedUid(host, identity, signal)])
  if (uid === undefined || uid === noted || noted === notReadable) return undefined
  if (noted !== undefined && (await hasCopies(options, config, signal))) {
    return copiesOfAnother(identity, noted)
  }
  await note(host, identity, uid, signal)
  return undefined
}

function copiesOfAnother({ tenant, hostNamespace }: TenantPlace, uid: string): Trouble {
  const message =
    `the copies on the host were made from another virtual cluster (its namespace kube-system has the uid ${uid}), ` +
    'and this one would delete them with their volumes, so nothing is synced: end the process that runs beside it, or ' +
    'restore the store that was lost. To give up these copies instead, remove the entry ' +
    `${entry} of the Secret ${identitySecretName(tenant)} in namespace ${hostNamespace}`
  return { reason: copiesOfAnotherReason, message }
}

/** What identifies any cluster. Undefined: it cannot be known of this API server. */
async function clusterUid(
  { virtual, virtualFollowsHostAddresses: isEmbedded }: WhoseCopiesOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await virtual.get(namespaceType, { namespace: '', name: 'kube-system' }, signal)).metadata.uid
  } catch (error) {
    if (!isEmbedded && isRefusal(error, 403, 404)) return undefined
    throw error
  }
}

async function notedUid(host: KubeClient, identity: TenantPlace, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { data } = await host.get(secretType, placeOf(identity), signal)
    const encoded = isJsonObject(data) ? data[entry] : undefined
    return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString() || undefined : undefined
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    if (isRefusal(error, 403)) return notReadable
    throw error
  }
}

/** The other entries of the Secret belong to others. */
async function note(host: KubeClient, identity: TenantPlace, uid: string, signal: AbortSignal): Promise<void> {
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...placeOf(identity), labels: { 'app.kubernetes.io/instance': identity.tenant } },
    type: 'Opaque',
    data: { [entry]: Buffer.from(uid).toString('base64') },
  }
  try {
    await host.apply(secretType, secret, { fieldManager: 'tenant-sync', force: true }, signal)
  } catch (error) {
    if (!isRefusal(error, 403, 404)) throw error
  }
}

function placeOf({ tenant, hostNamespace }: TenantPlace) {
  return { namespace: hostNamespace, name: identitySecretName(tenant) }
}

async function hasCopies(
  { identity, virtual, host }: WhoseCopiesOptions,
  config: EffectiveConfig,
  signal: AbortSignal,
): Promise<boolean> {
  const namespace = config.sync.toHost.namespaces.enabled ? undefined : identity.hostNamespace
  for (const { kind } of enabledKinds(config)) {
    const types = await servedTypes(kind, { virtual, host }, signal)
    if (!types.ok) continue
    const selection = {
      labelSelector: copySelector(identity),
      ...(namespace !== undefined && types.host.namespaced && { namespace }),
    }
    const { items } = await host.list(types.host, selection, signal)
    if (items.some((item) => isCopyOf(item, identity))) return true
  }
  return false
}
