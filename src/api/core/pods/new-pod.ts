import type { Pod, PodCondition } from '../../types/core-v1.ts'
import { withAppArmor } from './app-armor-sync.ts'
import { withoutInitResizing } from './init-resizing.ts'
import { qosClassOf } from './quality-of-service.ts'
import { withLabelKeys } from './scheduling/affinity-label-keys.ts'
import { withoutDisabled } from './switched-off.ts'

/** The initial state of a new pod, whatever its author wrote. */
export function newPod(pod: Pod): Pod {
  const spec = withLabelKeys(withoutDisabled(withoutInitResizing(pod.spec)), pod.metadata.labels ?? {})
  return {
    ...withAppArmor({ ...pod, spec }),
    status: {
      phase: 'Pending',
      ...(spec.schedulingGates === undefined ? {} : { conditions: [schedulingGated(pod)] }),
      qosClass: qosClassOf(spec),
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
