import { Link } from '@tanstack/react-router'
import { projectOf, type VirtualCluster } from '../api/objects.ts'
import { listFrom } from '../fetched/fetched.ts'
import { timeOf } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { KeyMode } from './key-mode.tsx'
import { OfflineNote } from './offline-note.tsx'
import { SyncHealth } from './sync-health.tsx'
import { useSyncState } from './sync-state.ts'

export function VirtualClusterOverviewTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const { spec = {}, status = {} } = virtualCluster
  const nowMs = useNow()
  const project = projectOf(virtualCluster)
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <Panel title="Facts">
        <Facts
          facts={[
            {
              label: 'Project',
              value: (
                <Link to="/projects/$name" params={{ name: project }} className="text-accent hover:underline">
                  {project}
                </Link>
              ),
            },
            { label: 'Host cluster', value: spec.clusterRef?.cluster || '–' },
            { label: 'Host namespace', value: spec.clusterRef?.namespace || '–' },
            {
              label: 'Deployed by',
              value: spec.external === true ? 'its operator; it registered itself' : 'the platform',
            },
            { label: 'Kubernetes', value: status.version?.kubernetes ?? '–' },
            { label: 'Tenant', value: status.version?.tenant ?? '–' },
            { label: 'Last report', value: <Moment ms={timeOf(status.lastHeartbeat)} nowMs={nowMs} direction="ago" /> },
            { label: 'Linked with key', value: <KeyMode virtualCluster={virtualCluster} /> },
            { label: 'Sync', value: <SyncHealth virtualCluster={virtualCluster} /> },
            ...(status.message === undefined ? [] : [{ label: status.reason ?? 'Message', value: status.message }]),
          ]}
        />
      </Panel>
      <Failures virtualCluster={virtualCluster} />
    </div>
  )
}

/** The objects that fail to sync, with the reasons. */
function Failures({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  return (
    <Panel title="What fails">
      {virtualCluster.status?.online === true ? <FailingObjects virtualCluster={virtualCluster} /> : <OfflineNote />}
    </Panel>
  )
}

function FailingObjects({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const failing = listFrom(useSyncState(virtualCluster), ({ kinds = [] }) =>
    kinds.flatMap(({ kind, objects }) =>
      objects.filter(({ state }) => state === 'failing').map((object) => ({ kind, ...object })),
    ),
  )
  return (
    <SimpleTable
      label="Objects that fail to sync"
      headers={['Object', 'Reason']}
      empty="No object fails to sync."
      of={failing}
      row={({ kind, name, reason = '', message = '' }) => ({
        key: `${kind}/${name}`,
        cells: [`${kind} ${name}`, [reason, message].filter(Boolean).join(': ')],
      })}
    />
  )
}
