import type { ReactNode } from 'react'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { timeOf } from '../format/time.ts'
import { Moment } from '../parts/moment.tsx'
import type { Column } from '../table/column.ts'

interface Named extends KubeObject {
  readonly spec?: { readonly displayName?: string }
}

/** The name as a link, with the display name. */
export function nameColumn<T extends Named>(link: (object: T, text: string) => ReactNode): Column<T> {
  return {
    id: 'name',
    header: 'Name',
    minWidth: 12,
    grow: 2,
    narrow: 'title',
    sortBy: nameOf,
    cell: (object) => {
      const name = nameOf(object)
      const { displayName = name } = object.spec ?? {}
      return (
        <>
          {link(object, displayName || name)}
          {displayName !== name && displayName !== '' && <span className="ml-2 text-xs text-muted">{name}</span>}
        </>
      )
    },
  }
}

/** Ages are not updated live: users do not wait for one to change. */
export function ageColumn<T extends KubeObject>(): Column<T> {
  return {
    id: 'created',
    header: 'Created',
    minWidth: 7.5,
    narrow: 'hidden',
    sortBy: ({ metadata }) => metadata.creationTimestamp ?? undefined,
    cell: ({ metadata }) => <Moment ms={timeOf(metadata.creationTimestamp)} nowMs={Date.now()} direction="ago" />,
  }
}

export const linkClass = 'font-medium text-accent hover:underline'
