import { Link } from '@tanstack/react-router'
import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import type { Snapshot } from '../live/collection.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { SyncHealth } from '../virtual-clusters/sync-health.tsx'

const mostShown = 20

/** Virtual clusters and their links, what is offline first. */
export function Links({ virtualClusters }: { readonly virtualClusters: Snapshot<VirtualCluster> }) {
  const { objects, state, isLoaded } = virtualClusters
  if (state.phase === 'refused')
    return (
      <Panel title="Links">
        <ProblemNote problem={state.problem} />
      </Panel>
    )
  const ordered = [...objects].sort((a, b) => Number(a.status?.online === true) - Number(b.status?.online === true))
  return (
    <Panel title="Links">
      <SimpleTable
        label="Links of virtual clusters"
        headers={['Virtual cluster', 'Link', 'Sync']}
        empty={isLoaded ? 'No virtual cluster has registered yet.' : 'Loading…'}
        rows={ordered.slice(0, mostShown).map((virtualCluster) => ({
          key: virtualCluster.metadata.uid ?? nameOf(virtualCluster),
          cells: [
            <Link
              key="name"
              to="/virtual-clusters/$project/$name"
              params={{ project: projectOf(virtualCluster), name: nameOf(virtualCluster) }}
              className={linkClass}
            >
              {projectOf(virtualCluster)}/{nameOf(virtualCluster)}
            </Link>,
            <OnlineBadge key="online" online={virtualCluster.status?.online} />,
            <SyncHealth key="sync" virtualCluster={virtualCluster} />,
          ],
        }))}
      />
    </Panel>
  )
}
