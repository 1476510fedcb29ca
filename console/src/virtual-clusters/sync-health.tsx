import type { VirtualCluster } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { UnreadableAnswer } from '../api/tenant-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { problemText } from '../parts/problem-note.tsx'
import { ShownInline } from '../parts/shown.tsx'
import type { SyncState } from './sync-shape.ts'
import { countsOf, useSyncState } from './sync-state.ts'

export function SyncHealth({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  if (virtualCluster.status?.online !== true) return <span className="text-muted">not linked</span>
  return <LinkedHealth virtualCluster={virtualCluster} />
}

function LinkedHealth({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const state = useSyncState(virtualCluster)
  if (state.state === 'failed' && state.failure.problem instanceof UnreadableAnswer)
    return (
      <span title={state.failure.problem.message}>
        <Badge mood="warn">not readable</Badge>
      </span>
    )
  if (state.state === 'failed' && isCode(state.failure.problem, 403))
    return (
      <span className="text-muted" title={problemText(state.failure.problem)}>
        not for your role
      </span>
    )
  return (
    <ShownInline of={state} empty="nothing to sync">
      {(known) => <Health state={known} />}
    </ShownInline>
  )
}

function Health({ state }: { readonly state: SyncState }) {
  const { failing, waiting, 'in-step': inStep } = countsOf(state)
  if (failing > 0) return <Badge mood="bad">{failing} failing</Badge>
  if (waiting > 0) return <Badge mood="warn">{waiting} waiting</Badge>
  return <Badge mood="good">{inStep} in step</Badge>
}
