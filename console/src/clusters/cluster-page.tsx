import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Cluster } from '../api/objects.ts'
import { timeOf } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { EditButton } from '../resources/edit-button.tsx'
import { clusterKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { clusterForm, clusterValues } from './cluster-form.tsx'

const route = getRouteApi('/clusters/$name')

export function ClusterPage() {
  const { name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<Cluster>
      kind={clusterKind}
      name={name}
      aside={({ status }) => <OnlineBadge online={status?.online} />}
      actions={(cluster) => (
        <EditButton kind={clusterKind} object={cluster} form={clusterForm} valuesOf={clusterValues} />
      )}
      deletion="The platform forgets how to reach the cluster. Nothing on the cluster itself is touched."
      onDeleted={() => void navigate({ to: '/clusters' })}
      tabs={(cluster) => [{ id: 'overview', label: 'Overview', content: <ClusterFacts cluster={cluster} /> }]}
    />
  )
}

function ClusterFacts({ cluster }: { readonly cluster: Cluster }) {
  const { spec = {}, status = {} } = cluster
  const nowMs = useNow()
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          { label: 'Version', value: status.version ?? '–' },
          { label: 'Last reached', value: <Moment ms={timeOf(status.lastSeen)} nowMs={nowMs} direction="ago" /> },
          { label: 'Phase', value: status.phase ?? '–' },
          { label: 'Message', value: status.message ?? '–' },
          {
            label: 'Kubeconfig',
            value: (
              <code>{[spec.config?.secretNamespace, spec.config?.secretName].filter(Boolean).join('/') || '–'}</code>
            ),
          },
          { label: 'Certificate', value: spec.insecure === true ? 'not checked' : 'checked' },
        ]}
      />
    </Panel>
  )
}
