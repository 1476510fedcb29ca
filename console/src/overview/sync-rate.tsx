import { useMemo } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import { type Fetched, listFrom } from '../fetched/fetched.ts'
import { Panel } from '../parts/panel.tsx'
import { Shown } from '../parts/shown.tsx'
import { proxyPath } from '../virtual-clusters/sync-state.ts'
import { RatePanel } from './rate-panel.tsx'

/** More would cause a storm of requests for one plot. */
const mostAsked = 20

export function SyncRate({ virtualClusters }: { readonly virtualClusters: Fetched<readonly VirtualCluster[]> }) {
  const places = useMemo(() => listFrom(virtualClusters, placesOf), [virtualClusters])
  if (places.state === 'known')
    return (
      <RatePanel
        title="Sync throughput"
        unit="writes per second"
        places={places.value}
        metric="tenant_sync_writes_total"
      />
    )
  return (
    <Panel title="Sync throughput">
      <Shown of={places} empty="No virtual cluster is linked, so there are no sync figures.">
        {() => null}
      </Shown>
    </Panel>
  )
}

function placesOf(virtualClusters: readonly VirtualCluster[]): readonly string[] {
  const online = virtualClusters.filter(({ status }) => status?.online === true)
  return online.slice(0, mostAsked).map((each) => proxyPath(each, ''))
}
