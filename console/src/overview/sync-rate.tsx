import { useMemo } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import { Panel } from '../parts/panel.tsx'
import { proxyPath } from '../virtual-clusters/sync-state.ts'
import { RatePanel } from './rate-panel.tsx'

/** More would be a storm of requests for a plot. */
const mostAsked = 20

export function SyncRate({ online }: { readonly online: readonly VirtualCluster[] }) {
  const paths = useMemo(() => online.slice(0, mostAsked).map((each) => proxyPath(each, '/metrics')), [online])
  if (paths.length === 0)
    return (
      <Panel title="Sync throughput">
        <p className="text-muted">No virtual cluster is linked, so nothing is known of what is synced.</p>
      </Panel>
    )
  return <RatePanel title="Sync throughput" unit="writes per second" paths={paths} metric="tenant_sync_writes_total" />
}
