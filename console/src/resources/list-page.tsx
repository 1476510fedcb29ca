import { type ReactNode, useMemo } from 'react'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { loadedCount } from '../fetched/count.ts'
import { useLive } from '../live/use-live.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { TextInput } from '../parts/field.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { useRemembered } from '../parts/remembered.ts'
import { useUnsaved } from '../parts/unsaved.ts'
import { useManagement } from '../session/session-context.tsx'
import type { Column, Sort } from '../table/column.ts'
import { LiveTable } from '../table/live-table.tsx'
import type { ResourceKind } from './requests.ts'
import { objectFilter } from './searched.ts'
import { refusalOf, useRight } from './use-right.ts'

interface ListPageProps<T extends KubeObject> {
  readonly title: string
  readonly noun: string
  readonly kind: ResourceKind
  readonly columns: readonly Column<T>[]
  /** The purpose of such an object, shown while there are none. */
  readonly purpose: string
  /** The dialog that creates one; absent if they are not created in the console. */
  readonly creating?: (onClose: () => void) => ReactNode
  /** What to do instead if they are not created in the console. */
  readonly next?: ReactNode
  /** What to show instead of all that while there are none. */
  readonly instead?: ReactNode
}

const byName: Sort = { column: 'name', direction: 'ascending' }

/** All objects of one kind: a live table with a search. */
export function ListPage<T extends KubeObject>(props: ListPageProps<T>) {
  const { title, noun, kind, columns, purpose, creating, next, instead } = props
  const objects = useLive<T>(useManagement().path(kind.plural))
  const [text, setText] = useRemembered('search', '', isText)
  const [isCreating, setIsCreating] = useUnsaved('creating', false)
  const isShown = useMemo(() => objectFilter(text), [text])
  const create =
    creating === undefined ? next : <CreateButton kind={kind} noun={noun} onClick={() => setIsCreating(true)} />
  return (
    <Page title={title} subtitle={loadedCount(objects, noun)} actions={creating && create}>
      {creating !== undefined && <CreateRefusal kind={kind} noun={noun} />}
      <div className="max-w-sm">
        <TextInput type="search" aria-label={`Search ${title}`} placeholder="Search…" value={text} onChange={setText} />
      </div>
      <LiveTable
        label={title}
        of={objects}
        columns={columns}
        keyOf={keyOf}
        isShown={isShown}
        firstSort={byName}
        empty={
          instead ?? (
            <Empty title={`No ${noun}s yet`} action={create}>
              {purpose}
            </Empty>
          )
        }
      />
      {isCreating && creating?.(() => setIsCreating(false))}
    </Page>
  )
}

interface CreateButtonProps {
  readonly kind: ResourceKind
  readonly noun: string
  readonly onClick: () => void
}

/** For users who have the right. */
function CreateButton({ kind, noun, onClick }: CreateButtonProps) {
  if (useRight({ verb: 'create', kind })?.isAllowed !== true) return null
  return (
    <Button tone="primary" onClick={onClick}>
      <PlusIcon /> Create {noun}
    </Button>
  )
}

/** Tells other users who could allow it. */
function CreateRefusal({ kind, noun }: Omit<CreateButtonProps, 'onClick'>) {
  const refusal = refusalOf(useRight({ verb: 'create', kind }))
  if (refusal === '') return null
  return <p role="note" className="text-muted">{`You may not create ${noun}s: ${refusal}.`}</p>
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${nameOf(object)}`
}
