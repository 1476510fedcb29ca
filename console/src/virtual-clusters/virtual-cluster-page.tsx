import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { namespaceOf, type VirtualCluster } from '../api/objects.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { virtualClusterKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { ConfigTab } from './config-tab.tsx'
import { ConnectTab } from './connect-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { ObjectsTab } from './objects-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PatchesTab } from './patches-tab.tsx'

const route = getRouteApi('/virtual-clusters/$project/$name')

export function VirtualClusterPage() {
  const { project, name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<VirtualCluster>
      kind={virtualClusterKind}
      name={name}
      namespace={namespaceOf(project)}
      aside={({ status }) => <OnlineBadge online={status?.online} />}
      deletion="The platform forgets the virtual cluster. What runs on the host stays; remove that with tenant delete."
      onDeleted={() => void navigate({ to: '/virtual-clusters' })}
      tabs={(virtualCluster) => [
        { id: 'overview', label: 'Overview', content: <OverviewTab virtualCluster={virtualCluster} /> },
        { id: 'objects', label: 'Objects', content: <ObjectsTab virtualCluster={virtualCluster} /> },
        { id: 'config', label: 'Configuration', content: <ConfigTab virtualCluster={virtualCluster} /> },
        { id: 'patches', label: 'Patches', content: <PatchesTab virtualCluster={virtualCluster} /> },
        { id: 'events', label: 'Events', content: <EventsTab virtualCluster={virtualCluster} /> },
        { id: 'connect', label: 'Connect', content: <ConnectTab virtualCluster={virtualCluster} /> },
      ]}
    />
  )
}
