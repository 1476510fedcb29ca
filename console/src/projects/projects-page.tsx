import { Link } from '@tanstack/react-router'
import { nameOf, type Project } from '../api/objects.ts'
import { countedWord } from '../format/words.ts'
import { ageColumn, linkClass, nameColumn } from '../resources/common-columns.tsx'
import { CreateDialog } from '../resources/create-dialog.tsx'
import { projectKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import { useRight } from '../resources/use-right.ts'
import { WithoutProject } from '../resources/without-project.tsx'
import type { Column } from '../table/column.ts'
import { clusterText } from './cluster-text.ts'
import { projectForm } from './project-form.tsx'

const columns: readonly Column<Project>[] = [
  nameColumn((project, text) => (
    <Link to="/projects/$name" params={{ name: nameOf(project) }} className={linkClass}>
      {text}
    </Link>
  )),
  {
    id: 'members',
    header: 'Members',
    minWidth: 12,
    grow: 2,
    narrow: 'detail',
    sortBy: ({ spec }) => spec?.members?.length ?? 0,
    cell: ({ spec }) => memberText(spec?.members ?? []),
  },
  {
    id: 'clusters',
    header: 'Clusters',
    minWidth: 9,
    grow: 1,
    narrow: 'detail',
    cell: ({ spec }) => clusterText(spec?.allowedClusters ?? ['*']),
  },
  ageColumn(),
]

type Members = NonNullable<NonNullable<Project['spec']>['members']>

function memberText(members: Members): string {
  return members.length > 4
    ? countedWord(members.length, 'member')
    : members.map(({ name }) => name).join(', ') || 'none'
}

export function ProjectsPage() {
  const isRefused = useRight({ verb: 'create', kind: projectKind })?.isAllowed === false
  return (
    <ListPage
      title="Projects"
      noun="project"
      kind={projectKind}
      columns={columns}
      {...(isRefused && { instead: <WithoutProject /> })}
      purpose="A project groups spaces and virtual clusters, and says who works with them. A key can be limited to one."
      creating={(onClose) => <CreateDialog kind={projectKind} form={projectForm} onClose={onClose} />}
    />
  )
}
