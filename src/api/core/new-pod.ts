import type { Pod, PodCondition } from '../types/core-v1.ts'
import { qosClassOf } from './quality-of-service.ts'

/** What a new pod begins with, whatever its author says. */
export function newPod(pod: Pod): Pod {
  return {
    ...pod,
    status: {
      phase: 'Pending',
      ...(pod.spec.schedulingGates === undefined ? {} : { conditions: [schedulingGated(pod)] }),
      qosClass: qosClassOf(pod.spec),
    },
  }
}

function schedulingGated({ metadata }: Pod): PodCondition {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadata.creationTimestamp ?? null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
}
