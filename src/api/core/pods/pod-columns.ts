import type { RowCondition } from '../../kind.ts'
import type { Pod } from '../../types/core-v1.ts'
import type { TypedColumn } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone, wideColumn } from '../columns.ts'
import { podSummary, restartsText } from './pod-summary.ts'

export const podColumns: readonly TypedColumn<Pod>[] = [
  nameColumn,
  column('Ready', 'Ready containers and all containers.', (pod) => {
    const { ready, total } = podSummary(pod)
    return `${ready}/${total}`
  }),
  column('Status', 'State of the pod, or the reason why it is not running.', (pod) => podSummary(pod).status),
  column('Restarts', 'Number of container restarts, and the time since the last one.', (pod, nowMs) =>
    restartsText(podSummary(pod), nowMs),
  ),
  ageColumn,
  wideColumn('IP', 'Address of the pod.', ({ status }) => orNone(status.podIPs?.[0]?.ip)),
  wideColumn('Node', 'Node that the pod runs on.', ({ spec }) => orNone(spec.nodeName)),
  wideColumn('Nominated Node', 'Node on which the scheduler makes room for the pod.', ({ status }) =>
    orNone(status.nominatedNodeName),
  ),
  wideColumn('Readiness Gates', 'Readiness gates that are met and all readiness gates.', readinessGates),
]

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const holds = (type: string) => status.conditions?.find((each) => each.type === type)?.status === 'True'
  return `${gates.filter(({ conditionType }) => holds(conditionType)).length}/${gates.length}`
}

/** For finished Pods. */
export function podRowConditions({ status }: Pod): readonly RowCondition[] {
  const ends: Readonly<Record<string, string>> = {
    Succeeded: 'The pod has completed successfully.',
    Failed: 'The pod failed.',
  }
  const { phase: reason = '' } = status
  const message = Object.hasOwn(ends, reason) ? ends[reason] : undefined
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason, message }]
}
