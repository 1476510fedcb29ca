import type { KubeObject } from '../../api/object.ts'
import type { Node, Pod, PodSpec } from '../../api/types/core-v1.ts'
import { type Amounts, parsedAmounts } from '../../registry/amounts.ts'
import { podResources } from '../../registry/resource-quota/pod-resources.ts'
import { ownedFrom } from '../ownership/owned.ts'
import { hasEnded } from '../pods/pod-facts.ts'
import type { NodeFacts, PlacementRequirements, ResourceAmounts, ScheduledFacts } from './contract.ts'
import { hostPortsOf } from './host-ports.ts'
import { termsIn } from './pod-terms.ts'

/** The scheduler of Pods that name no other one. */
export const schedulerName = 'default-scheduler'

export function scheduledFactsFrom(object: KubeObject): ScheduledFacts {
  const { spec, status, metadata } = object as Pod
  const owned = ownedFrom(object)
  const ended = hasEnded(status.phase ?? '')
  const { affinity, antiAffinity, spread, conditionCount } = termsIn(spec, metadata)
  const shared = { requests: amountsOf(podResources(spec).requests), hostPorts: hostPortsOf(spec), antiAffinity }
  const isWaiting = spec.nodeName === undefined && !ended && !owned.isBeingDeleted && isOurs(spec)
  const { uid, namespace, labels } = owned
  const wish: PlacementRequirements = {
    uid,
    namespace,
    labels,
    spec: askedIn(spec),
    ...shared,
    affinity,
    spread,
    conditionCount,
  }
  return {
    ...owned,
    ...shared,
    nodeName: spec.nodeName ?? '',
    hasEnded: ended,
    priority: spec.priority ?? 0,
    wish: isWaiting ? wish : undefined,
  }
}

export function nodeFactsFrom(object: KubeObject): NodeFacts {
  // An object of another version, or a restored one, may lack what this version writes.
  const { spec, status, metadata } = object as KubeObject & Partial<Node>
  return {
    name: metadata.name ?? '',
    labels: metadata.labels ?? {},
    taints: spec?.taints ?? [],
    isUnschedulable: spec?.unschedulable === true,
    allocatable: amountsOf(status?.allocatable ?? {}),
  }
}

function isOurs({ schedulerName: named = schedulerName, schedulingGates = [] }: PodSpec): boolean {
  return named === schedulerName && schedulingGates.length === 0
}

/** Only the needed part of the Pod: it may be large, and may wait for long. */
function askedIn({ nodeSelector, affinity, tolerations, preemptionPolicy }: PodSpec): PlacementRequirements['spec'] {
  return {
    ...(nodeSelector && { nodeSelector }),
    ...(affinity && { affinity }),
    ...(tolerations && { tolerations }),
    ...(preemptionPolicy && { preemptionPolicy }),
  }
}

function amountsOf(amounts: Amounts): ResourceAmounts {
  return new Map(parsedAmounts(amounts).map(([name, { nanos }]) => [name, nanos]))
}
