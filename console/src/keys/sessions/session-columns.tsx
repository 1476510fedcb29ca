import { Link } from '@tanstack/react-router'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../table/column.ts'
import { EndSession } from './end-session.tsx'
import type { SessionRow } from './session-row.ts'

export function sessionColumns(nowMs: number): readonly Column<SessionRow>[] {
  return [
    {
      id: 'owner',
      header: 'Who',
      minWidth: 8,
      grow: 1,
      narrow: 'title',
      sortBy: (row) => row.owner,
      cell: ({ owner, name }) => (
        <Link to="/keys/$name" params={{ name }} className="font-medium text-accent hover:underline">
          {owner}
        </Link>
      ),
    },
    {
      id: 'from',
      header: 'Signed in from',
      minWidth: 12,
      grow: 2,
      narrow: 'detail',
      narrowLabel: 'from',
      sortBy: (row) => row.startedFrom,
      cell: ({ startedFrom, userAgent }) => (
        <span title={userAgent}>
          {startedFrom} <span className="text-muted">{userAgent}</span>
        </span>
      ),
    },
    {
      id: 'with',
      header: 'Signed in with',
      minWidth: 9,
      grow: 1,
      narrow: 'hidden',
      sortBy: (row) => row.startedWith || row.startedBy || undefined,
      cell: ({ startedWith, startedBy }) =>
        startedWith === '' ? (
          <span className="text-muted">{startedBy}</span>
        ) : (
          <Link to="/keys/$name" params={{ name: startedWith }} className="text-accent hover:underline">
            {startedWith}
          </Link>
        ),
    },
    {
      id: 'activity',
      header: 'Last use',
      minWidth: 7.5,
      narrow: 'detail',
      narrowLabel: 'last used',
      sortBy: (row) => (row.activeMs === undefined ? undefined : -row.activeMs),
      cell: ({ activeMs, usedFrom }) => (
        <span title={usedFrom}>
          <Moment ms={activeMs} nowMs={nowMs} direction="ago" />
        </span>
      ),
    },
    {
      id: 'expires',
      header: 'Ends',
      minWidth: 6.5,
      narrow: 'detail',
      narrowLabel: 'ends',
      sortBy: (row) => row.expiresMs,
      cell: ({ expiresMs }) => <Moment ms={expiresMs} nowMs={nowMs} direction="until" />,
    },
    { id: 'actions', header: '', minWidth: 6.5, narrow: 'corner', cell: (row) => <EndSession row={row} /> },
  ]
}
