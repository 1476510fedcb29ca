import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { type Fetched, itemsOf } from '../fetched/fetched.ts'
import { Empty } from '../parts/empty.tsx'
import { Failed } from '../parts/shown.tsx'
import type { Column, Sort } from './column.ts'
import { DataTable } from './data-table.tsx'
import { useOrdered } from './use-ordered.ts'

interface LiveTableProps<Row> {
  readonly label: string
  readonly of: Fetched<readonly Row[]>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** Absent: all rows. */
  readonly isShown: ((row: Row) => boolean) | undefined
  readonly firstSort: Sort
  readonly empty: ReactNode
}

/**
 * A table of a collection that changes while it is shown. Rows are sorted first and then filtered, so that typing in a
 * search never sorts.
 */
export function LiveTable<Row>(props: LiveTableProps<Row>) {
  const { label, of, columns, keyOf, isShown, firstSort, empty } = props
  const rows = itemsOf(of)
  const [sort, setSort] = useState(firstSort)
  const ordered = useOrdered(rows, sort, columns, keyOf)
  const shown = useMemo(() => (isShown === undefined ? ordered : ordered.filter(isShown)), [ordered, isShown])
  if (of.state === 'failed') return <Failed failure={of.failure} />
  return (
    <>
      <p role="status" className="sr-only">
        {shown.length === rows.length
          ? ''
          : `${shown.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')} shown`}
      </p>
      <DataTable
        label={label}
        columns={columns}
        rows={shown}
        keyOf={keyOf}
        sort={sort}
        onSort={setSort}
        empty={emptyFor(of.state, rows.length, empty)}
      />
    </>
  )
}

function emptyFor(state: 'loading' | 'empty' | 'known', total: number, empty: ReactNode): ReactNode {
  if (total > 0) return <Empty title="Nothing fits">Change the search or the filters to see more.</Empty>
  return state === 'loading' ? <Empty title="Loading…" /> : empty
}
