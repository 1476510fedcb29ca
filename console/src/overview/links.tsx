import { Link } from '@tanstack/react-router'
import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import { type Fetched, listFrom } from '../fetched/fetched.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { SyncHealth } from '../virtual-clusters/sync-health.tsx'

const mostShown = 20

/** Virtual clusters and their links, offline ones first. */
export function Links({ virtualClusters }: { readonly virtualClusters: Fetched<readonly VirtualCluster[]> }) {
  return (
    <Panel title="Links">
      <SimpleTable
        label="Links of virtual clusters"
        headers={['Virtual cluster', 'Link', 'Sync']}
        empty="No virtual cluster has registered yet."
        of={listFrom(virtualClusters, offlineFirst)}
        row={(virtualCluster) => ({
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
        })}
      />
    </Panel>
  )
}

function offlineFirst(virtualClusters: readonly VirtualCluster[]): readonly VirtualCluster[] {
  const rank = ({ status }: VirtualCluster) => Number(status?.online === true)
  return [...virtualClusters].sort((a, b) => rank(a) - rank(b)).slice(0, mostShown)
}
