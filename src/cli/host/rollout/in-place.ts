import { isRefusal } from '../../../api/error.ts'
import { type KubeObject, objectKeyOf } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import { pause } from '../../../base/pause.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { revisionLabel } from '../../../controllers/stateful-set/identity.ts'
import type { Progress } from '../../output/progress.ts'
import { existing, servedTypeOf } from '../objects.ts'
import type { ImageChange } from './image-change.ts'
import { podsOfSet, untilObserved } from './stuck-pods.ts'
import { comingPods, whyWaiting } from './why-waiting.ts'

const pollMs = 100

export interface InPlaceOptions {
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
  /** 0: no waiting. */
  readonly patienceMs: number
}

/** The only Pod of a StatefulSet, if it is ready: no other is worth keeping. */
export async function podToKeep(host: KubeClient, { set }: ImageChange): Promise<KubeObject | undefined> {
  const [pod, ...others] = await podsOfSet(host, set)
  const isOne = pod !== undefined && others.length === 0 && pod.metadata.deletionTimestamp === undefined
  return isOne && comingPods([pod]).length === 0 ? pod : undefined
}

/**
 * Changes the images of a Pod. The kubelet replaces the containers in place: no Pod has to end, be scheduled, and get
 * its volume and an address before the next one runs. The Pod then counts as one of the revision that its StatefulSet
 * wants, which must not replace Pods meanwhile. Returns whether that was done; if it is not allowed, the StatefulSet
 * can still replace the Pod.
 */
export async function giveImages(host: KubeClient, pod: KubeObject, { set, images }: ImageChange): Promise<boolean> {
  const { updateRevision } = asMembers((await untilObserved(host, set))?.status)
  if (typeof updateRevision !== 'string') return false
  const { uid } = pod.metadata
  const containers = Object.entries(images).map(([name, image]) => ({ name, image }))
  const body = { metadata: { uid, labels: { [revisionLabel]: updateRevision } }, spec: { containers } }
  try {
    await host.patch(await servedTypeOf(host, pod), objectKeyOf(pod), { type: 'strategic', body })
    return true
  } catch (error) {
    if (isRefusal(error, 403, 404, 409, 422)) return false
    throw error
  }
}

/** Resolves when new containers run in the Pod and are ready, or when the Pod was replaced. */
export async function untilReplaced(
  host: KubeClient,
  pod: KubeObject,
  { images }: ImageChange,
  { progress, signal, patienceMs }: InPlaceOptions,
): Promise<void> {
  const before = containerIds(pod)
  let reason: string | undefined
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const now = await existing(host, pod, signal)
    if (now === undefined || now.metadata.uid !== pod.metadata.uid) return
    const ids = containerIds(now)
    const areOthers = Object.keys(images).every((name) => ids[name] !== undefined && ids[name] !== before[name])
    if (areOthers && comingPods([now]).length === 0) return
    reason = whyWaiting({ workload: undefined, pods: [now] })
    progress.detail(reason ?? 'it restarts')
    await pause(pollMs, signal)
  }
  const why = reason === undefined ? '' : `: ${reason}`
  throw new Error(`the new image was not ready within ${Math.round(patienceMs / 1000)} s${why}`)
}

/** By the name of the container. */
function containerIds({ status }: KubeObject): Readonly<Record<string, unknown>> {
  const statuses = asObjects(asMembers(status).containerStatuses)
  return Object.fromEntries(statuses.map(({ name, containerID }) => [String(name), containerID]))
}
