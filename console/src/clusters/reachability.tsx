import type { Cluster } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import type { Failure } from '../fetched/fetched.ts'
import { Badge } from '../parts/badge.tsx'
import { problemText } from '../parts/problem-note.tsx'
import { FailedInline, ShownInline } from '../parts/shown.tsx'
import { useVersion } from './use-version.ts'

interface ReachabilityProps {
  readonly cluster: Cluster
  /** Whether to show the reason, if there is room. */
  readonly hasReason?: boolean
}

/** Whether the platform reaches the cluster now. */
export function Reachability({ cluster, hasReason = false }: ReachabilityProps) {
  const version = useVersion(cluster)
  switch (version.state) {
    case 'loading':
      return <span className="text-muted">asking…</span>
    case 'failed':
      return <NotReached failure={version.failure} hasReason={hasReason} />
    case 'empty':
    case 'known':
      return version.state === 'known' && version.outdated !== undefined ? (
        <NotReached failure={version.outdated} hasReason={hasReason} />
      ) : (
        <Badge mood="good">Reachable</Badge>
      )
  }
}

function NotReached({ failure, hasReason }: { readonly failure: Failure; readonly hasReason: boolean }) {
  const { problem } = failure
  const reason = problemText(problem)
  if (!saysUnreachable(problem)) return <FailedInline failure={failure} />
  return (
    <span title={reason}>
      <Badge mood="bad">Not reachable</Badge>
      {hasReason && <span className="ml-2 break-words text-muted">{reason}</span>}
      <span className="sr-only">{reason}</span>
    </span>
  )
}

/** Otherwise the cluster was not asked: the caller may not, or the platform itself did not answer. */
function saysUnreachable(problem: unknown): boolean {
  return isCode(problem, 502, 503, 504)
}

export function ClusterVersion({ cluster }: { readonly cluster: Cluster }) {
  return (
    <ShownInline of={useVersion(cluster)} empty="it tells none">
      {(version) => version}
    </ShownInline>
  )
}
