import type { RowCondition } from '../kind.ts'
import type { Pod } from '../types/core-v1.ts'
import type { TypedColumn } from './builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone, wideColumn } from './columns.ts'
import { podSummary, restartsText } from './pod-summary.ts'

export const podColumns: readonly TypedColumn<Pod>[] = [
  nameColumn,
  column('Ready', 'Containers that are ready, of all.', (pod) => {
    const { ready, total } = podSummary(pod)
    return `${ready}/${total}`
  }),
  column('Status', 'State of the pod, or the reason why it does not run.', (pod) => podSummary(pod).status),
  column('Restarts', 'How often containers were restarted, and when last.', (pod, nowMs) =>
    restartsText(podSummary(pod), nowMs),
  ),
  ageColumn,
  wideColumn('IP', 'Address of the pod.', ({ status }) => orNone(status.podIPs?.[0]?.ip)),
  wideColumn('Node', 'Node that the pod runs on.', ({ spec }) => orNone(spec.nodeName)),
  wideColumn('Nominated Node', 'Node on which room is being made for the pod.', ({ status }) =>
    orNone(status.nominatedNodeName),
  ),
  wideColumn('Readiness Gates', 'Further conditions that hold, of those that must.', readinessGates),
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
