import { asMembers } from '../../../base/json/lenient.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { quietProgress } from '../../output/progress.ts'
import type { Manifest } from '../manifest.ts'
import { imageChangeOf } from '../rollout/image-change.ts'
import { giveImages, type InPlaceOptions, podToKeep, untilReplaced } from '../rollout/in-place.ts'
import { applyAll } from './apply-all.ts'
import type { ApplyConflict } from './three-way.ts'

/**
 * Like `applyAll`, but a Pod that only gets another image keeps running with it: its open connections are interrupted
 * for the start of a process, rather than for the replacement of a Pod.
 */
export async function applyUpgrade(
  host: KubeClient,
  manifests: readonly Manifest[],
  last: readonly Manifest[],
  options: InPlaceOptions,
): Promise<readonly ApplyConflict[]> {
  const change = imageChangeOf(last, manifests)
  const pod = change && (await podToKeep(host, change))
  if (change === undefined || pod === undefined) return applyAll(host, manifests, last, options)
  const patient = manifests.map((each) => (each === change.set ? leavingPods(each) : each))
  const kept = await applyAll(host, patient, last, options)
  options.progress.step(`Pod ${pod.metadata.name}: its new image`)
  const isGiven = await giveImages(host, pod, change)
  await applyAll(host, [change.set], patient, { ...options, progress: quietProgress })
  if (isGiven && options.patienceMs > 0) await untilReplaced(host, pod, change, options)
  return kept
}

/** A StatefulSet with one Pod that replaces Pods only from the second on. */
function leavingPods(set: Manifest): Manifest {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }
  return { ...set, spec: { ...asMembers(set.spec), updateStrategy } }
}
