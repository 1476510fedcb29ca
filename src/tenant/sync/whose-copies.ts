import { isRefusal } from '../../api/error.ts'
import { identitySecretName } from '../../api/link.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { namespaceType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { Trouble } from '../../sync/contract.ts'
import { disabledKinds, enabledKinds } from '../../sync/kinds/enabled.ts'
import { copySelector, isCopyOf } from '../../sync/names/markers.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { mayList } from '../../sync/run/may-list.ts'
import { typesOn } from '../../sync/run/served-types.ts'
import { copiesOfEntry, notedUid, noteUid } from './copies-note.ts'

export const copiesOfAnotherReason = 'CopiesOfAnother'

export interface WhoseCopiesOptions {
  readonly identity: TenantPlace
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** Whether the virtual cluster is embedded, so that it will have the namespace kube-system. */
  readonly virtualFollowsHostAddresses: boolean
  /** Whether another virtual cluster was noted while this one synced. It may not have copies yet. */
  readonly wasReplaced: boolean
}

/** Whether this virtual cluster may sync. Its uid is undefined if it cannot be known. */
export type WhoseCopies =
  | { readonly may: 'sync'; readonly uid: string | undefined }
  | { readonly may: 'not sync'; readonly trouble: Trouble }

/**
 * Copies on the host must not be touched if they were made from another virtual cluster: the store was lost, or a second
 * process runs under its name, and this one would delete all copies, volumes included.
 */
export async function whoseCopies(
  options: WhoseCopiesOptions,
  config: EffectiveConfig,
  signal: AbortSignal,
): Promise<WhoseCopies> {
  const { identity, host, wasReplaced } = options
  const [uid, noted] = await Promise.all([clusterUid(options, signal), notedUid(host, identity, signal)])
  if (uid === undefined || uid === noted || noted === 'not readable') return { may: 'sync', uid }
  if (noted !== undefined && (wasReplaced || (await hasCopies(options, config, signal)))) {
    return { may: 'not sync', trouble: copiesOfAnother(identity, noted) }
  }
  await noteUid(host, identity, uid, signal)
  return { may: 'sync', uid }
}

function copiesOfAnother({ tenant, hostNamespace }: TenantPlace, uid: string): Trouble {
  const message =
    `the copies on the host were made from another virtual cluster (its namespace kube-system has the uid ${uid}), ` +
    'and this one would delete them with their volumes, so nothing is synced: end the process that runs beside it, or ' +
    'restore the store that was lost. To give up these copies instead, remove the entry ' +
    `${copiesOfEntry} of the Secret ${identitySecretName(tenant)} in namespace ${hostNamespace}`
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

/**
 * Also of kinds that are switched off, whose copies would be deleted, and of those that only the host serves: in an
 * empty store they are defined later.
 */
async function hasCopies(
  { identity, host }: WhoseCopiesOptions,
  config: EffectiveConfig,
  signal: AbortSignal,
): Promise<boolean> {
  const hostNamespace = config.sync.toHost.namespaces.enabled ? undefined : identity.hostNamespace
  const kinds = [...enabledKinds(config).map(({ kind }) => kind), ...disabledKinds(config)]
  for (const kind of kinds) {
    for (const type of await typesOn(host, kind, signal)) {
      const namespace = type.namespaced ? hostNamespace : undefined
      if (!(await mayList(host, type, namespace, signal))) continue
      const selection = { labelSelector: copySelector(identity), ...(namespace !== undefined && { namespace }) }
      const { items } = await host.list(type, selection, signal)
      if (items.some((item) => isCopyOf(item, identity))) return true
    }
  }
  return false
}
