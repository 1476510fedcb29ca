import { Link } from '@tanstack/react-router'
import { nameOf, namespaceOf, type VirtualCluster } from '../api/objects.ts'
import { useLive } from '../live/use-live.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { useManagement } from '../session/session-context.tsx'
import { SimpleTable } from '../table/simple-table.tsx'

export function VirtualClustersOf({ project }: { readonly project: string }) {
  const virtualClusters = useLive<VirtualCluster>(
    useManagement().path('virtualclusterinstances', { namespace: namespaceOf(project) }),
  )
  return (
    <Panel title="Virtual clusters">
      <SimpleTable
        label={`Virtual clusters of ${project}`}
        headers={['Virtual cluster', 'Link', 'Version', 'Cluster']}
        empty={`None yet. Create one with: tenant create NAME -n NAMESPACE --project ${project}`}
        of={virtualClusters}
        row={(virtualCluster) => ({
          key: nameOf(virtualCluster),
          cells: [
            <Link
              key="name"
              to="/virtual-clusters/$project/$name"
              params={{ project, name: nameOf(virtualCluster) }}
              className={linkClass}
            >
              {virtualCluster.spec?.displayName || nameOf(virtualCluster)}
            </Link>,
            <OnlineBadge key="online" online={virtualCluster.status?.online} />,
            virtualCluster.status?.version?.kubernetes ?? '–',
            virtualCluster.spec?.clusterRef?.cluster ?? '–',
          ],
        })}
      />
    </Panel>
  )
}
