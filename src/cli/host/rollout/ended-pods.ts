import { type KubeObject, objectKeyOf } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'

/**
 * Whether a Pod is being deleted and its kubelet has reported the end of all its containers: nothing of it runs
 * anymore.
 */
export function hasFullyEnded({ metadata, status }: KubeObject): boolean {
  const containers = asObjects(asMembers(status).containerStatuses)
  const isOver = containers.every(({ state }) => asMembers(state).terminated !== undefined)
  return metadata.deletionTimestamp !== undefined && containers.length > 0 && isOver
}

/**
 * Deletes Pods that have fully ended. A kubelet may keep them for up to a minute, and a StatefulSet does not start the
 * next one before. Without the right to do so, it only takes longer.
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
