import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal } from '../../../api/error.ts'
import { type KubeObject, objectKeyOf } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { revisionLabel } from '../../../controllers/stateful-set/identity.ts'
import type { Manifest } from '../manifest.ts'
import { existing, servedTypeOf } from '../objects.ts'
import { selectorOfLabels } from '../owner-labels.ts'
import { comingPods } from './why-waiting.ts'

const pollMs = 200
const patienceMs = 20_000

/**
 * A StatefulSet waits for a Pod that does not become ready, even if it should run another one instead. Deletes such
 * Pods of the given StatefulSets once their controller has seen the new spec: before that, it would create the same Pod
 * again.
 */
export async function removeStuckPods(host: KubeClient, manifests: readonly Manifest[]): Promise<void> {
  const type = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Pod' })
  for (const manifest of manifests.filter(({ kind }) => kind === 'StatefulSet')) {
    if (areThere(await podsOfSet(host, manifest))) continue
    const set = await untilObserved(host, manifest)
    for (const pod of stuckPods(await podsOfSet(host, manifest), set)) {
      const { uid = '' } = pod.metadata
      await host.delete(type, objectKeyOf(pod), { uid }).catch((error: unknown) => {
        if (!isRefusal(error, 404, 409)) throw error
      })
    }
  }
}

export async function podsOfSet(host: KubeClient, set: Manifest): Promise<readonly KubeObject[]> {
  const type = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Pod' })
  const { namespace } = objectKeyOf(set)
  return (await host.list(type, { namespace, labelSelector: selectorOf(set) })).items
}

/** All are ready, and none is about to be replaced: the controller does the rest. */
function areThere(pods: readonly KubeObject[]): boolean {
  const isLeaving = pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined)
  return pods.length > 0 && !isLeaving && comingPods(pods).length === 0
}

/** Pods that are not ready and do not have the wanted revision. New Pods get time to become ready. */
export function stuckPods(pods: readonly KubeObject[], set: KubeObject | undefined): readonly KubeObject[] {
  const { updateRevision } = asMembers(set?.status)
  const isWanted = ({ metadata }: KubeObject) =>
    set !== undefined && isSeen(set) && metadata.labels?.[revisionLabel] === updateRevision
  return comingPods(pods).filter((pod) => !isWanted(pod))
}

/**
 * Waits until the controller has seen the object, but not too long. If no controller has ever seen it, there is none to
 * wait for.
 */
export async function untilObserved(host: KubeClient, manifest: Manifest): Promise<KubeObject | undefined> {
  let found = await existing(host, manifest)
  for (let waitedMs = 0; waitedMs < patienceMs && isAwaited(found); waitedMs += pollMs) {
    await pause(pollMs)
    found = await existing(host, manifest)
  }
  return found
}

function isAwaited(set: KubeObject | undefined): boolean {
  return set !== undefined && asMembers(set.status).observedGeneration !== undefined && !isSeen(set)
}

function isSeen({ metadata, status }: KubeObject): boolean {
  return Number(asMembers(status).observedGeneration ?? 0) >= (metadata.generation ?? 1)
}

function selectorOf({ spec }: Manifest): string {
  return selectorOfLabels(asMembers(asMembers(asMembers(spec).selector).matchLabels))
}
