import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Cluster } from '../api/objects.ts'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { EditButton } from '../resources/edit-button.tsx'
import { clusterKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { clusterForm, clusterValues } from './cluster-form.tsx'
import { ClusterVersion, Reachability } from './reachability.tsx'

const route = getRouteApi('/clusters/$name')

export function ClusterPage() {
  const { name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<Cluster>
      kind={clusterKind}
      name={name}
      aside={(cluster) => <Reachability cluster={cluster} />}
      actions={(cluster) => (
        <EditButton kind={clusterKind} object={cluster} form={clusterForm} valuesOf={clusterValues} />
      )}
      deletion={() => <Deletion />}
      onDeleted={() => void navigate({ to: '/clusters' })}
      tabs={(cluster) => [{ id: 'overview', label: 'Overview', content: <ClusterFacts cluster={cluster} /> }]}
    />
  )
}

function ClusterFacts({ cluster }: { readonly cluster: Cluster }) {
  const { spec = {} } = cluster
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          { label: 'Reachable now', value: <Reachability cluster={cluster} hasReason /> },
          { label: 'Version', value: <ClusterVersion cluster={cluster} /> },
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

function Deletion() {
  return (
    <>
      The platform forgets how to reach the cluster. Nothing on the cluster itself is touched: workloads there keep
      running. Spaces on it can no longer be reached through the platform, and Secrets on it no longer get new values of
      keys. The Secret of the platform that holds its kubeconfig stays.
    </>
  )
}
