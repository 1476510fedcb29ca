import type { Pod, PodCondition, PodSpec, Toleration } from '../types/core-v1.ts'
import { qosClassOf } from './quality-of-service.ts'

const lostNodeSeconds = 300
const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** What a new pod gets from the cluster rather than from its author. */
export function admittedPod(pod: Pod): Pod {
  const spec = withClusterDefaults(pod.spec)
  return {
    ...pod,
    spec,
    status: {
      phase: 'Pending',
      ...(spec.schedulingGates === undefined ? {} : { conditions: [schedulingGated] }),
      qosClass: qosClassOf(spec),
    },
  }
}

const schedulingGated: PodCondition = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
}

function withClusterDefaults(spec: PodSpec): PodSpec {
  const serviceAccountName = spec.serviceAccountName ?? 'default'
  const tolerations = [...(spec.tolerations ?? []), ...missingTolerations(spec.tolerations ?? [])]
  return {
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    ...spec,
    serviceAccountName,
    serviceAccount: serviceAccountName,
    ...(tolerations.length === 0 ? {} : { tolerations }),
  }
}

/** Pods stay a while on a node that is lost, unless they say otherwise. */
function missingTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  return lostNodeTaints
    .filter((taint) => !tolerations.some((each) => toleratesEviction(each, taint)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: lostNodeSeconds }))
}

function toleratesEviction({ key, effect }: Toleration, taint: string): boolean {
  return (key === undefined || key === taint) && (effect === undefined || effect === 'NoExecute')
}
