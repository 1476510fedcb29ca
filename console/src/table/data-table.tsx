import { memo, type ReactNode, useRef } from 'react'
import { CardRow } from './card-row.tsx'
import { type Column, type Sort, trackOf } from './column.ts'
import { GridRow } from './grid-row.tsx'
import { HeaderRow } from './header-row.tsx'
import { NarrowSort } from './narrow-sort.tsx'
import { useRowFocus } from './row-focus.ts'
import { useNarrow } from './use-narrow.ts'
import { useWindow } from './use-window.ts'

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** In display order. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** Shown instead of rows. */
  readonly empty: ReactNode
}

/** A row is rendered again only when it has changed. */
const GridView = memo(GridRow) as typeof GridRow
const CardView = memo(CardRow) as typeof CardRow

const rowHeight = 41
const cardHeight = 78

/** Only visible rows are rendered, however many there are. */
export function DataTable<Row>({ label, columns, rows, keyOf, sort, onSort, empty }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrow()
  const height = isNarrow ? cardHeight : rowHeight
  const { first, end } = useWindow(scroller, rows.length, height)
  const { template, minWidth } = trackOf(columns)
  const keyAt = (index: number) => {
    const row = rows[index]
    return row === undefined ? undefined : keyOf(row)
  }
  const { focused, ...focusing } = useRowFocus(scroller, height, rows.length, keyAt)
  const RowView = isNarrow ? CardView : GridView

  const placed = rendered(rows, first, end, focused === undefined ? undefined : (row) => keyOf(row) === focused)
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface">
      {isNarrow && rows.length > 1 && <NarrowSort columns={columns} sort={sort} onSort={onSort} />}
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows in view exist and are positioned absolutely, which rows of a table element cannot be */}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div ref={scroller} className="max-h-[calc(100dvh-13.5rem)] scroll-pt-10 overflow-auto" {...focusing}>
          {!isNarrow && (
            <HeaderRow columns={columns} template={template} minWidth={minWidth} sort={sort} onSort={onSort} />
          )}
          {rows.length === 0 ? (
            empty
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: absolutely positioned rows cannot be in a tbody
            <div
              role="rowgroup"
              className="relative"
              style={{ height: rows.length * height, ...(isNarrow ? {} : { minWidth }) }}
            >
              {placed.map(({ row, index }) => (
                <RowView
                  key={keyOf(row)}
                  row={row}
                  columns={columns}
                  template={template}
                  rowIndex={index + 2}
                  start={index * height}
                  height={height}
                />
              ))}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

interface Placed<Row> {
  readonly row: Row
  readonly index: number
}

/** The rows in view and the one with the focus, in their order. */
function rendered<Row>(
  rows: readonly Row[],
  first: number,
  end: number,
  isFocused: ((row: Row) => boolean) | undefined,
): readonly Placed<Row>[] {
  const inView = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset }))
  const index = isFocused === undefined ? -1 : rows.findIndex(isFocused)
  const row = rows[index]
  if (row === undefined || (index >= first && index < end)) return inView
  return index < first ? [{ row, index }, ...inView] : [...inView, { row, index }]
}
