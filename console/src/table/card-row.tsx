import type { Column, NarrowPlace } from './column.ts'
import type { RowProps } from './grid-row.tsx'

/** A row if there is no room for columns: the title and a state, and the rest below. */
export function CardRow<Row>({ row, columns, rowIndex, start, height }: RowProps<Row>) {
  const at = (place: NarrowPlace) => columns.filter(({ narrow }) => narrow === place)
  return (
    // biome-ignore lint/a11y/useSemanticElements: positioned absolutely
    // biome-ignore lint/a11y/useFocusableInteractive: the content of the row can be focused
    <div
      role="row"
      aria-rowindex={rowIndex}
      className="absolute inset-x-0 grid content-center gap-1 border-b border-line px-3"
      style={{ height, transform: `translateY(${start}px)` }}
    >
      <div className="flex min-w-0 items-center justify-between gap-2">
        <Cells row={row} columns={at('title')} className="min-w-0 truncate" />
        <div className="flex shrink-0 items-center gap-1">
          <Cells row={row} columns={at('corner')} className="" />
        </div>
      </div>
      <div className="flex max-h-8 min-w-0 flex-wrap gap-x-3 overflow-hidden text-xs text-muted">
        <Cells row={row} columns={at('detail')} className="max-w-full truncate" />
      </div>
    </div>
  )
}

function Cells<Row>({
  row,
  columns,
  className,
}: {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly className: string
}) {
  return columns.map(({ id, cell, narrowLabel }) => (
    // biome-ignore lint/a11y/useSemanticElements: positioned absolutely
    <div key={id} role="cell" className={className}>
      {narrowLabel !== undefined && `${narrowLabel} `}
      {cell(row)}
    </div>
  ))
}
