import { Link } from '@tanstack/react-router'
import { type Cluster, nameOf } from '../api/objects.ts'
import { ageColumn, linkClass, nameColumn } from '../resources/common-columns.tsx'
import { CreateDialog } from '../resources/create-dialog.tsx'
import { clusterKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import type { Column } from '../table/column.ts'
import { clusterForm } from './cluster-form.tsx'
import { ClusterVersion, Reachability } from './reachability.tsx'

const columns: readonly Column<Cluster>[] = [
  nameColumn((cluster, text) => (
    <Link to="/clusters/$name" params={{ name: nameOf(cluster) }} className={linkClass}>
      {text}
    </Link>
  )),
  {
    id: 'online',
    header: 'State',
    minWidth: 8.5,
    narrow: 'corner',
    cell: (cluster) => <Reachability cluster={cluster} />,
  },
  {
    id: 'version',
    header: 'Version',
    minWidth: 8,
    grow: 1,
    narrow: 'detail',
    cell: (cluster) => <ClusterVersion cluster={cluster} />,
  },
  {
    id: 'secret',
    header: 'Kubeconfig',
    minWidth: 12,
    grow: 1,
    narrow: 'detail',
    cell: ({ spec }) => spec?.config?.secretName ?? <span className="text-muted">–</span>,
  },
  ageColumn(),
]

export function ClustersPage() {
  return (
    <ListPage
      title="Clusters"
      noun="cluster"
      kind={clusterKind}
      columns={columns}
      purpose="A host cluster has the spaces in which virtual clusters run. Put its kubeconfig into a Secret of the platform and name it here."
      creating={(onClose) => <CreateDialog kind={clusterKind} form={clusterForm} onClose={onClose} />}
    />
  )
}
