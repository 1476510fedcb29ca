import { isRefusal } from '../../api/error.ts'
import { objectKeyOf } from '../../api/object.ts'
import type { KubeClient } from '../../client/contract.ts'
import { removeCopies } from '../create/copies.ts'
import { namespaceManifest } from '../create/manifests/all.ts'
import type { TenantDeployment } from '../create/manifests/contract.ts'
import { isForHostAdministrators } from '../create/manifests/host-administrators.ts'
import { selectorLabels } from '../create/manifests/labels.ts'
import { keySecret } from '../create/tenant-key.ts'
import { type DeployRecord, recordSecret } from '../create/tenant-record.ts'
import { removeObject, shownObject } from '../host/apply/objects.ts'
import type { Manifest } from '../host/manifest.ts'
import type { Progress } from '../output/progress.ts'
import { waitUntilRemoved } from './remaining-objects.ts'
import { removeClaims, removeOwnSecrets, untilPodsAreGone } from './remains.ts'
import { unrelatedObjects } from './unrelated-objects.ts'

export interface UndeployOptions {
  readonly progress: Progress
  readonly keepData: boolean
}

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

/**
 * Removes everything that was created for a tenant, newest first, then what the tenant itself has created. Returns what
 * was left alone, and why.
 */
export async function undeploy(
  host: KubeClient,
  tenant: Named,
  record: DeployRecord,
  { progress, keepData }: UndeployOptions,
): Promise<readonly string[]> {
  const left: string[] = []
  const forbidden: Manifest[] = []
  const remove = async (manifest: Manifest) => {
    progress.step(shownObject(manifest))
    const outcome = await removeIfAllowed(host, manifest)
    if (outcome === 'not-ours') left.push(`${shownObject(manifest)}: another object has taken its place`)
    if (outcome !== 'forbidden') return
    forbidden.push(manifest)
    left.push(forbiddenText(manifest))
  }
  const [newest, ...others] = [...record.manifests].reverse()
  if (newest !== undefined) await remove(newest)
  const owner = { namespace: tenant.namespace, podLabels: selectorLabels(tenant) }
  await untilPodsAreGone(host, owner, progress)
  progress.step('What the virtual cluster had synced')
  await removeCopies(host, tenant, record.manifests)
  for (const manifest of others) await remove(manifest)
  await removeOwnSecrets(host, tenant, record.manifests)
  if (!keepData) await removeClaims(host, owner)
  await removeObject(host, keySecret(tenant, {}))
  // As long as the record exists, a deletion can be repeated.
  const manifests = record.manifests.filter((manifest) => !forbidden.includes(manifest))
  await waitUntilRemoved(host, { tenant, record: { ...record, manifests }, keepData }, progress)
  await removeObject(host, recordSecret(tenant))
  if (record.madeNamespace) await removeNamespace(host, tenant, keepData, left)
  return left
}

async function removeNamespace(host: KubeClient, tenant: Named, keepData: boolean, left: string[]): Promise<void> {
  const others = await unrelatedObjects(host, tenant)
  if (others.length > 0) left.push(`Namespace ${tenant.namespace}: it holds ${others.join(', ')}`)
  else if (keepData) left.push(`Namespace ${tenant.namespace}: it holds the data`)
  else if ((await removeIfAllowed(host, namespaceManifest(tenant))) === 'forbidden')
    left.push(forbiddenText(namespaceManifest(tenant)))
}

/** The administrator of a namespace removes what is in it, and is told about the rest. */
function removeIfAllowed(host: KubeClient, manifest: Manifest): Promise<Removal | 'forbidden'> {
  return removeObject(host, manifest).catch((error: unknown) => {
    if (isForHostAdministrators(manifest) && isRefusal(error, 403)) return 'forbidden' as const
    throw error
  })
}

type Removal = Awaited<ReturnType<typeof removeObject>>

function forbiddenText(manifest: Manifest): string {
  const { namespace, name } = objectKeyOf(manifest)
  const place = namespace === '' ? '' : `-n ${namespace} `
  return `${shownObject(manifest)}: you may not remove it; an administrator of the host can: kubectl ${place}delete ${manifest.kind.toLowerCase()} ${name}`
}
