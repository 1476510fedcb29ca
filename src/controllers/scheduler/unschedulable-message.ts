import type { NodeRefusal } from './contract.ts'

const notHelpful = 'Preemption is not helpful for scheduling'
const noVictims = 'No preemption victims found for incoming pod'

/** In the words of kube-scheduler. Pods are never preempted, so preemption never finds any. */
export function unschedulableMessage(refusals: readonly NodeRefusal[], preemptionPolicy: string | undefined): string {
  if (refusals.length === 0) return 'no nodes available to schedule pods'
  const reasons = counted(refusals.flatMap((refusal) => refusal.reasons))
  const preemption = counted(refusals.map(({ isFinal }) => (isFinal ? notHelpful : noVictims)))
  const available = `0/${refusals.length} nodes are available:`
  const after =
    preemptionPolicy === 'Never' ? 'not eligible due to preemptionPolicy=Never.' : `${available} ${preemption}.`
  return `${available} ${reasons}. preemption: ${after}`
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(', ')
}
