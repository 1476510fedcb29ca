import type { VirtualCluster } from '../api/objects.ts'
import { ProblemNote } from '../parts/problem-note.tsx'

interface OfflineNoteProps {
  readonly virtualCluster: VirtualCluster
  readonly problem: unknown
}

/** Why nothing can be shown of what is inside. */
export function OfflineNote({ virtualCluster, problem }: OfflineNoteProps) {
  if (virtualCluster.status?.online !== true) {
    return (
      <p className="text-muted">
        The virtual cluster is not linked to the platform now, so nothing is known of what is inside. Its sync goes on
        without the platform.
      </p>
    )
  }
  return problem === null ? null : <ProblemNote problem={problem} />
}
