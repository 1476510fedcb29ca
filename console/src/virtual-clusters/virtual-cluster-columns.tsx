import { Link } from '@tanstack/react-router'
import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import { OnlineBadge } from '../parts/online-badge.tsx'
import { ageColumn, linkClass, nameColumn } from '../resources/common-columns.tsx'
import type { Column } from '../table/column.ts'
import { KeyMode } from './key-mode.tsx'
import { SyncHealth } from './sync-health.tsx'

export const virtualClusterColumns: readonly Column<VirtualCluster>[] = [
  nameColumn((virtualCluster, text) => (
    <Link
      to="/virtual-clusters/$project/$name"
      params={{ project: projectOf(virtualCluster), name: nameOf(virtualCluster) }}
      className={linkClass}
    >
      {text}
    </Link>
  )),
  {
    id: 'project',
    header: 'Project',
    minWidth: 7,
    grow: 1,
    narrow: 'detail',
    sortBy: projectOf,
    cell: projectOf,
  },
  {
    id: 'online',
    header: 'Link',
    minWidth: 7,
    narrow: 'corner',
    sortBy: ({ status }) => (status?.online === true ? 0 : 1),
    cell: ({ status }) => <OnlineBadge online={status?.online} />,
  },
  {
    id: 'sync',
    header: 'Sync',
    minWidth: 9,
    narrow: 'detail',
    cell: (virtualCluster) => <SyncHealth virtualCluster={virtualCluster} />,
  },
  {
    id: 'version',
    header: 'Version',
    minWidth: 8,
    grow: 1,
    narrow: 'detail',
    sortBy: ({ status }) => status?.version?.kubernetes,
    cell: ({ status }) => status?.version?.kubernetes ?? <span className="text-muted">–</span>,
  },
  {
    id: 'key',
    header: 'Key',
    minWidth: 9,
    grow: 1,
    narrow: 'hidden',
    sortBy: ({ status }) => status?.link?.accessKey,
    cell: (virtualCluster) => <KeyMode virtualCluster={virtualCluster} />,
  },
  ageColumn(),
]
