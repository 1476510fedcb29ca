import { type KubeObject, objectKeyOf } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'

/** Whether a Pod is on its way out and its kubelet has reported the end of all its containers: nothing of it runs any more. */
export function hasFullyEnded({ metadata, status }: KubeObject): boolean {
  const containers = asObjects(asMembers(status).containerStatuses)
  const isOver = containers.every(({ state }) => asMembers(state).terminated !== undefined)
  return metadata.deletionTimestamp !== undefined && containers.length > 0 && isOver
}

/**
 * Takes Pods that have ended out of the way. A kubelet may leave them for up to a minute, and no StatefulSet starts the next one
 * before. Where it is not allowed it just takes longer.
 */
export async function removeEndedPods(
  host: KubeClient,
  type: ResourceType,
  pods: readonly KubeObject[],
): Promise<void> {
  for (const pod of pods.filter(hasFullyEnded)) {
    const { uid = '' } = pod.metadata
    await host.delete(type, objectKeyOf(pod), { graceSeconds: 0, uid }).catch(() => undefined)
  }
}
