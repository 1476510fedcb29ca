import { asMembers } from '../../../base/json/lenient.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { quietProgress } from '../../output/progress.ts'
import type { Manifest } from '../manifest.ts'
import { imageChangeOf } from '../rollout/image-change.ts'
import { giveImages, type InPlaceOptions, podToKeep, untilReplaced } from '../rollout/in-place.ts'
import { applyAll } from './apply-all.ts'
import type { ApplyConflict } from './three-way.ts'

/**
 * As `applyAll`, but a Pod that gets nothing but another image keeps running with it: what its server keeps open is away for as long as a
 * process takes to start, and not for as long as a cluster takes to replace a Pod.
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

/** A StatefulSet that replaces Pods from its second on, and has one. */
function leavingPods(set: Manifest): Manifest {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }
  return { ...set, spec: { ...asMembers(set.spec), updateStrategy } }
}
