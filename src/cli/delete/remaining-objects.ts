import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type Clock, monotonicClock } from '../../base/clock.ts'
import { pause } from '../../base/pause.ts'
import type { KubeClient } from '../../client/contract.ts'
import { copiesOnHost } from '../create/copies.ts'
import type { TenantDeployment } from '../create/manifests/contract.ts'
import { isForHostAdministrators } from '../create/manifests/host-administrators.ts'
import { selectorLabels } from '../create/manifests/labels.ts'
import type { DeployRecord } from '../create/tenant-record.ts'
import { isMadeFor, shownObject } from '../host/apply/objects.ts'
import type { Manifest } from '../host/manifest.ts'
import { existing } from '../host/objects.ts'
import type { Progress } from '../output/progress.ts'
import { ownSecrets, volumeClaimsOf } from './remains.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

export interface RemovedTenant {
  readonly tenant: Named
  readonly record: DeployRecord
  /** Volumes are excluded. */
  readonly keepData: boolean
}

const pollMs = 500
const patienceMs = 60_000
/** Tenants choose how long their Pods may take to end. */
const longestGraceMs = 600_000
const mostShown = 20

/** All objects of a virtual cluster on its host, as the host lists them. */
export async function remainingObjects(
  host: KubeClient,
  { tenant, record, keepData }: RemovedTenant,
): Promise<readonly KubeObject[]> {
  const owner = { namespace: tenant.namespace, podLabels: selectorLabels(tenant) }
  const found = await Promise.all(record.manifests.map((manifest) => seenBy(host, manifest)))
  const made = record.manifests.flatMap((manifest, index) => {
    const object = found[index]
    return object !== undefined && isMadeFor(object, manifest) ? [manifest] : []
  })
  const copies: KubeObject[] = []
  for await (const { item } of copiesOnHost(host, tenant, record.manifests)) copies.push(item)
  const kept = await ownSecrets(host, tenant, record.manifests)
  const volumes = keepData ? [] : await volumeClaimsOf(host, owner)
  return [
    ...made,
    ...copies,
    ...kept.map((secret) => ({ ...secret, kind: 'Secret' })),
    ...volumes.map((claim) => ({ ...claim, kind: 'PersistentVolumeClaim' })),
  ]
}

/** Others cannot see what only an administrator of the host may read. */
function seenBy(host: KubeClient, manifest: Manifest): Promise<KubeObject | undefined> {
  return existing(host, manifest).catch((error: unknown) => {
    if (isForHostAdministrators(manifest) && isRefusal(error, 403)) return undefined
    throw error
  })
}

/** `Pod (3), Service (1)`. */
export function countedKinds(objects: readonly KubeObject[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ')
}

/** Waits for objects that take time to disappear. Those that remain are named, so that no user has to search for them. */
export async function waitUntilRemoved(host: KubeClient, looked: RemovedTenant, progress: Progress): Promise<void> {
  progress.step('Checking for remaining objects')
  const { there, waitedMs } = await remainingAfterWait(
    () => remainingObjects(host, looked),
    (objects) => progress.detail(`waiting for ${countedKinds(objects)}`),
  )
  if (there.length === 0) return
  const shown = there.slice(0, mostShown).map(shownObject).join(', ')
  const more = there.length > mostShown ? ` and ${there.length - mostShown} more` : ''
  const { name, namespace } = looked.tenant
  throw new Error(
    `still on the host after ${Math.round(waitedMs / 1000)} s: ${shown}${more}; see what holds them (finalizers, nodes that are away), and run tenant delete ${name} -n ${namespace} again`,
  )
}

interface Waiting {
  readonly clock: Clock
  readonly pause: (ms: number) => Promise<void>
}

/** What is left when nothing is, or when it had its time. Objects that wait for a Pod have the time of that Pod. */
export async function remainingAfterWait(
  look: () => Promise<readonly KubeObject[]>,
  onWait: (there: readonly KubeObject[]) => void,
  { clock, pause: wait }: Waiting = { clock: monotonicClock, pause },
): Promise<{ readonly there: readonly KubeObject[]; readonly waitedMs: number }> {
  const startMs = clock.now()
  let longestMs = 0
  for (;;) {
    const there = await look()
    const waitedMs = clock.now() - startMs
    longestMs = Math.max(longestMs, longestWaitMs(there))
    if (there.length === 0 || waitedMs >= longestMs) return { there, waitedMs }
    onWait(there)
    await wait(pollMs)
  }
}

function longestWaitMs(there: readonly KubeObject[]): number {
  const graceMs = there.reduce((longest, each) => Math.max(longest, graceMsOf(each)), 0)
  return patienceMs + Math.min(graceMs, longestGraceMs)
}

function graceMsOf({ metadata }: KubeObject): number {
  return (metadata.deletionGracePeriodSeconds ?? 0) * 1000
}
