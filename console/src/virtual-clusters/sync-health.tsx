import type { VirtualCluster } from '../api/objects.ts'
import { UnreadableAnswer } from '../api/tenant-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { countsOf, useSyncState } from './sync-state.ts'

export function SyncHealth({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const { data, error } = useSyncState(virtualCluster)
  if (error instanceof UnreadableAnswer) return <Badge mood="warn">not readable</Badge>
  if (data === undefined) return <span className="text-muted">–</span>
  const { failing, waiting, 'in-step': inStep } = countsOf(data)
  if (failing > 0) return <Badge mood="bad">{failing} failing</Badge>
  if (waiting > 0) return <Badge mood="warn">{waiting} waiting</Badge>
  return <Badge mood="good">{inStep} in step</Badge>
}
