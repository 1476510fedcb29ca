import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { CardRow } from './card-row.tsx'
import { type Column, type Sort, trackOf } from './column.ts'
import { GridRow } from './grid-row.tsx'
import { HeaderRow } from './header-row.tsx'
import { useNarrow } from './use-narrow.ts'

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** In the order in which they are shown. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** Shown instead of rows. */
  readonly empty: ReactNode
}

const rowHeight = 41
const cardHeight = 78

/** Only the rows that can be seen are there, however many there are. */
export function DataTable<Row>({ label, columns, rows, keyOf, sort, onSort, empty }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrow()
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : rowHeight),
    overscan: 12,
  })
  const { template, minWidth } = trackOf(columns)
  const RowView = isNarrow ? CardRow : GridRow

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows that are placed by hand are no rows of a table element
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are pressed in the rows */}
      <div ref={scroller} className="max-h-[calc(100dvh-13.5rem)] min-h-32 overflow-auto" onKeyDown={moveFocus}>
        {!isNarrow && (
          <HeaderRow columns={columns} template={template} minWidth={minWidth} sort={sort} onSort={onSort} />
        )}
        {rows.length === 0 ? (
          empty
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            role="rowgroup"
            className="relative"
            style={{ height: virtualizer.getTotalSize(), ...(isNarrow ? {} : { minWidth }) }}
          >
            {virtualizer.getVirtualItems().map(({ index, start, size }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <RowView
                  key={keyOf(row)}
                  row={row}
                  columns={columns}
                  template={template}
                  rowIndex={index + 2}
                  start={start}
                  height={size}
                />
              )
            })}
          </div>
        )}
      </div>
    </div>
  )
}

/** The arrow keys go from row to row. */
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
