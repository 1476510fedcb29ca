import type { KubeObject } from '../../../api/object.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'
import { objectKeyOf } from '../objects.ts'
import { listedObjects, partOf } from './parts.ts'

/** Whether a Pod is on its way out and its kubelet has reported the end of all its containers: nothing of it runs any more. */
export function hasFullyEnded({ metadata, status }: KubeObject): boolean {
  const containers = listedObjects(partOf(status).containerStatuses)
  const isOver = containers.every(({ state }) => partOf(state).terminated !== undefined)
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
