import type { Container, Pod, PodCondition, PodSpec } from '../types/core-v1.ts'
import { qosClassOf } from './quality-of-service.ts'

/** What a new pod begins with, whatever its author says. */
export function newPod(pod: Pod): Pod {
  return {
    ...pod,
    spec: withoutDisabled(pod.spec),
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

/** What 1.32 knows and leaves switched off: users of their own for pods, and with them mounts of all of `/proc`. */
function withoutDisabled({ hostUsers: _, ...spec }: PodSpec): PodSpec {
  return {
    ...spec,
    containers: spec.containers?.map(withDefaultProcMount) ?? null,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(withDefaultProcMount) }),
  }
}

function withDefaultProcMount(container: Container): Container {
  const { securityContext } = container
  if (securityContext?.procMount === undefined) return container
  return { ...container, securityContext: { ...securityContext, procMount: 'Default' } }
}
