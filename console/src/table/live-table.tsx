import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import type { Snapshot } from '../live/collection.ts'
import { Empty } from '../parts/empty.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import type { Column, Sort } from './column.ts'
import { DataTable } from './data-table.tsx'
import { useOrdered } from './use-ordered.ts'

interface LiveTableProps<Row> {
  readonly label: string
  readonly snapshot: Pick<Snapshot<unknown>, 'state' | 'isLoaded'>
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Absent: all are. */
  readonly isShown: ((row: Row) => boolean) | undefined
  readonly firstSort: Sort
  readonly empty: ReactNode
}

/** A table of a collection that changes while one looks at it. Rows are put in order first and then picked, so that typing in a search never sorts. */
export function LiveTable<Row>(props: LiveTableProps<Row>) {
  const { label, snapshot, columns, rows, keyOf, isShown, firstSort, empty } = props
  const [sort, setSort] = useState(firstSort)
  const ordered = useOrdered(rows, sort, columns, keyOf)
  const shown = useMemo(() => (isShown === undefined ? ordered : ordered.filter(isShown)), [ordered, isShown])
  if (snapshot.state.phase === 'refused') return <ProblemNote problem={snapshot.state.problem} />
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={shown}
      keyOf={keyOf}
      sort={sort}
      onSort={setSort}
      empty={emptyFor(snapshot.isLoaded, rows.length, empty)}
    />
  )
}

function emptyFor(isLoaded: boolean, total: number, empty: ReactNode): ReactNode {
  if (total > 0) return <Empty title="Nothing fits">Change the search or the filters to see more.</Empty>
  return isLoaded ? empty : <Empty title="Loading…" />
}
