import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { CardRow } from './card-row.tsx'
import { type Column, type Sort, trackOf } from './column.ts'
import { GridRow } from './grid-row.tsx'
import { HeaderRow } from './header-row.tsx'
import { NarrowSort } from './narrow-sort.tsx'
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
  const RowView = isNarrow ? CardView : GridView

  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface">
      {isNarrow && rows.length > 1 && <NarrowSort columns={columns} sort={sort} onSort={onSort} />}
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows in view exist and are positioned absolutely, which rows of a table element cannot be */}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to keys that come up from the focused row, to move the focus */}
        <div ref={scroller} className="max-h-[calc(100dvh-13.5rem)] overflow-auto" onKeyDown={moveFocus}>
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
              {rows.slice(first, end).map((row, offset) => (
                <RowView
                  key={keyOf(row)}
                  row={row}
                  columns={columns}
                  template={template}
                  rowIndex={first + offset + 2}
                  start={(first + offset) * height}
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

/** The arrow keys move between rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (!(event.target instanceof HTMLElement) || event.target.closest('[role=menu]') !== null) return
  const row = event.target.closest('[role=row]')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const link = next?.querySelector<HTMLElement>('a, button')
  if (link === null || link === undefined) return
  event.preventDefault()
  link.focus()
}
