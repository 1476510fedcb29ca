import type { DaemonSetStatus } from '../../api/types/apps-v1.ts'
import { counted } from '../run/counted.ts'
import { type DaemonSetState, isPodAvailable, isUpdated, placesOf } from './state.ts'

/** Of several Pods on a Node, the oldest counts. */
export function daemonSetStatus(state: Omit<DaemonSetState, 'mayReplace'>): DaemonSetStatus {
  const { daemonSet, hash } = state
  const { places } = placesOf(state)
  const wanted = places.filter(({ fit }) => fit === 'runs')
  const scheduled = wanted.flatMap(({ pods: [first] }) => (first === undefined ? [] : [first]))
  const misscheduled = places.filter(({ fit, pods }) => fit !== 'runs' && pods.length > 0)
  const available = scheduled.filter((pod) => isPodAvailable(state, pod)).length
  const { collisionCount, conditions } = daemonSet.status
  return {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: misscheduled.length,
    desiredNumberScheduled: wanted.length,
    numberReady: scheduled.filter(({ isReady }) => isReady).length,
    ...counted('observedGeneration', daemonSet.metadata.generation ?? 0),
    ...counted('updatedNumberScheduled', scheduled.filter((pod) => isUpdated(pod, hash)).length),
    ...counted('numberAvailable', available),
    ...counted('numberUnavailable', wanted.length - available),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  }
}
