import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { nameOf, namespaceOf, type VirtualCluster } from '../api/objects.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { virtualClusterKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { ConfigTab } from './config-tab.tsx'
import { ConnectTab } from './connect-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { ObjectsTab } from './objects-tab.tsx'
import { VirtualClusterOverviewTab } from './overview-tab.tsx'
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
      deletion={(virtualCluster) => <Deletion virtualCluster={virtualCluster} />}
      onDeleted={() => void navigate({ to: '/virtual-clusters' })}
      tabs={(virtualCluster) => [
        { id: 'overview', label: 'Overview', content: <VirtualClusterOverviewTab virtualCluster={virtualCluster} /> },
        { id: 'objects', label: 'Objects', content: <ObjectsTab virtualCluster={virtualCluster} /> },
        { id: 'config', label: 'Configuration', content: <ConfigTab virtualCluster={virtualCluster} /> },
        { id: 'patches', label: 'Patches', content: <PatchesTab virtualCluster={virtualCluster} /> },
        { id: 'events', label: 'Events', content: <EventsTab virtualCluster={virtualCluster} /> },
        { id: 'connect', label: 'Connect', content: <ConnectTab virtualCluster={virtualCluster} /> },
      ]}
    />
  )
}

/**
 * A virtual cluster that the platform runs is deleted as a whole; for one that registered itself, the platform deletes
 * only the registration.
 */
function Deletion({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const { spec = {} } = virtualCluster
  if (spec.external !== true)
    return (
      <>
        The platform runs this virtual cluster, so all of it goes: its control plane stops, and its data, what it has
        synced to the host and its access key are deleted. This cannot be undone.
      </>
    )
  const { namespace, virtualCluster: name = nameOf(virtualCluster) } = spec.clusterRef ?? {}
  return (
    <>
      The platform ends its link and forgets its registration. It keeps running on its host, with its data and its
      access key, and registers itself again while that key works. To remove all of it, run{' '}
      <code>
        tenant delete {name}
        {namespace === undefined ? '' : ` -n ${namespace}`}
      </code>{' '}
      instead.
    </>
  )
}
