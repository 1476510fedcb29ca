import { Link } from '@tanstack/react-router'
import { nameOf, type Team } from '../api/objects.ts'
import { ageColumn, linkClass, nameColumn } from '../resources/common-columns.tsx'
import { CreateDialog } from '../resources/create-dialog.tsx'
import { teamKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import type { Column } from '../table/column.ts'
import { teamForm } from './team-form.tsx'

const columns: readonly Column<Team>[] = [
  nameColumn((team, text) => (
    <Link to="/teams/$name" params={{ name: nameOf(team) }} className={linkClass}>
      {text}
    </Link>
  )),
  {
    id: 'members',
    header: 'Members',
    minWidth: 14,
    grow: 3,
    narrow: 'detail',
    sortBy: ({ spec }) => spec?.users?.length ?? 0,
    cell: ({ spec }) => spec?.users?.join(', ') || <span className="text-muted">none</span>,
  },
  {
    id: 'groups',
    header: 'Groups',
    minWidth: 10,
    grow: 1,
    narrow: 'hidden',
    cell: ({ spec }) => spec?.groups?.join(', ') || <span className="text-muted">–</span>,
  },
  ageColumn(),
]

export function TeamsPage() {
  return (
    <ListPage
      title="Teams"
      noun="team"
      kind={teamKind}
      columns={columns}
      purpose="A team holds users that get rights together. It can own access keys, which stay when people leave."
      creating={(onClose) => <CreateDialog kind={teamKind} form={teamForm} onClose={onClose} />}
    />
  )
}
