import { deepEqual } from '../../base/equal.ts'
import type { Pod, PodCondition } from '../types/core-v1.ts'
import { withLabelKeys } from './affinity-label-keys.ts'
import { withAppArmor } from './app-armor-sync.ts'
import { withoutDisabled } from './disabled-fields.ts'
import { qosClassOf } from './quality-of-service.ts'

/** What a new pod begins with, whatever its author says. */
export function newPod(pod: Pod): Pod {
  const spec = withLabelKeys(withoutDisabled(pod.spec), pod.metadata.labels ?? {})
  return {
    ...withAppArmor({ ...pod, spec }),
    status: {
      phase: 'Pending',
      ...(spec.schedulingGates === undefined ? {} : { conditions: [schedulingGated(pod)] }),
      qosClass: qosClassOf(spec),
    },
  }
}

/** A pod of an earlier version keeps what it has. */
export function changedPod(pod: Pod, old: Pod): Pod {
  const usesDisabled = !deepEqual(withoutDisabled(old.spec), old.spec)
  return usesDisabled ? pod : { ...pod, spec: withoutDisabled(pod.spec) }
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
