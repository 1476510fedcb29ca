import { Link } from '@tanstack/react-router'
import { nameOf, type User } from '../api/objects.ts'
import { Badge } from '../parts/badge.tsx'
import { ageColumn, linkClass, nameColumn } from '../resources/common-columns.tsx'
import { CreateDialog } from '../resources/create-dialog.tsx'
import { userKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import type { Column } from '../table/column.ts'
import { userForm } from './user-form.tsx'

const columns: readonly Column<User>[] = [
  nameColumn((user, text) => (
    <Link to="/users/$name" params={{ name: nameOf(user) }} className={linkClass}>
      {text}
    </Link>
  )),
  {
    id: 'email',
    header: 'Mail address',
    minWidth: 12,
    grow: 2,
    narrow: 'detail',
    sortBy: ({ spec }) => spec?.email,
    cell: ({ spec }) => spec?.email ?? <span className="text-muted">–</span>,
  },
  {
    id: 'groups',
    header: 'Groups',
    minWidth: 10,
    grow: 1,
    narrow: 'detail',
    cell: ({ spec }) => spec?.groups?.join(', ') || <span className="text-muted">–</span>,
  },
  {
    id: 'state',
    header: 'State',
    minWidth: 6.5,
    narrow: 'corner',
    sortBy: ({ spec }) => (spec?.disabled === true ? 1 : 0),
    cell: ({ spec }) =>
      spec?.disabled === true ? <Badge mood="bad">Locked</Badge> : <Badge mood="good">Active</Badge>,
  },
  ageColumn(),
]

export function UsersPage() {
  return (
    <ListPage
      title="Users"
      noun="user"
      kind={userKind}
      columns={columns}
      purpose="A user is a person, or a program that acts in its own name. Users own access keys, and get rights by roles, teams and projects."
      creating={(onClose) => <CreateDialog kind={userKind} form={userForm} onClose={onClose} />}
    />
  )
}
