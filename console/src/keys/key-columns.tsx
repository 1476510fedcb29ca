import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Moment } from '../parts/moment.tsx'
import type { Column } from '../table/column.ts'
import { KeyMenu } from './key-menu.tsx'
import type { KeyRow } from './key-row.ts'
import type { KeyTask } from './key-task.ts'
import { PhaseBadge } from './phase-badge.tsx'

export function useKeyColumns(nowMs: number, onTask: (task: KeyTask) => void): readonly Column<KeyRow>[] {
  return useMemo(() => keyColumns(nowMs, onTask), [nowMs, onTask])
}

function keyColumns(nowMs: number, onTask: (task: KeyTask) => void): readonly Column<KeyRow>[] {
  return [
    {
      id: 'displayName',
      header: 'Display name',
      minWidth: 11,
      grow: 2,
      narrow: 'title',
      sortBy: (row) => row.displayName,
      cell: ({ name, displayName }) => (
        <Link to="/keys/$name" params={{ name }} className="font-medium text-accent hover:underline">
          {displayName}
        </Link>
      ),
    },
    {
      id: 'owner',
      header: 'Owner',
      minWidth: 7,
      grow: 1,
      narrow: 'detail',
      sortBy: (row) => row.owner,
      cell: ({ owner, ownerKind }) => (
        <>
          {owner}
          {ownerKind !== 'user' && <span className="text-muted"> ({ownerKind})</span>}
        </>
      ),
    },
    {
      id: 'phase',
      header: 'Phase',
      minWidth: 6.5,
      narrow: 'corner',
      sortBy: (row) => row.phase,
      cell: ({ phase }) => <PhaseBadge phase={phase} />,
    },
    {
      id: 'scope',
      header: 'Reaches',
      minWidth: 10,
      grow: 2,
      narrow: 'detail',
      sortBy: (row) => row.scope,
      cell: ({ scope }) => (
        <span className={scope === 'everything' ? 'text-muted' : ''} title={scope}>
          {scope}
        </span>
      ),
    },
    {
      id: 'expires',
      header: 'Expires',
      minWidth: 6.5,
      narrow: 'detail',
      narrowLabel: 'ends',
      sortBy: (row) => row.expiresMs,
      cell: ({ expiresMs }) => <Moment ms={expiresMs} nowMs={nowMs} direction="until" />,
    },
    {
      id: 'activity',
      header: 'Last activity',
      minWidth: 7.5,
      narrow: 'detail',
      narrowLabel: 'last used',
      sortBy: (row) => (row.activeMs === undefined ? undefined : -row.activeMs),
      cell: ({ activeMs }) => <Moment ms={activeMs} nowMs={nowMs} direction="ago" />,
    },
    {
      id: 'from',
      header: 'Last used from',
      minWidth: 8.5,
      narrow: 'hidden',
      sortBy: (row) => row.usedFrom || undefined,
      cell: ({ usedFrom }) => <span className="text-muted">{usedFrom || '–'}</span>,
    },
    {
      id: 'actions',
      header: '',
      minWidth: 3.5,
      narrow: 'corner',
      cell: ({ key }) => <KeyMenu accessKey={key} onTask={onTask} />,
    },
  ]
}
