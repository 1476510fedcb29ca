import type { VirtualCluster } from '../api/objects.ts'
import { Badge } from '../parts/badge.tsx'
import { countsOf, useSyncState } from './sync-state.ts'

export function SyncHealth({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const { data } = useSyncState(virtualCluster)
  if (data === undefined) return <span className="text-muted">–</span>
  const { failing, waiting, 'in-step': inStep } = countsOf(data)
  if (failing > 0) return <Badge mood="bad">{failing} failing</Badge>
  if (waiting > 0) return <Badge mood="warn">{waiting} waiting</Badge>
  return <Badge mood="good">{inStep} in step</Badge>
}
