import type { Column } from './column.ts'

export interface RowProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly template: string
  readonly rowIndex: number
  readonly start: number
  readonly height: number
}

export function GridRow<Row>({ row, columns, template, rowIndex, start, height }: RowProps<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: positioned absolutely
    // biome-ignore lint/a11y/useFocusableInteractive: the content of the row can be focused
    <div
      role="row"
      aria-rowindex={rowIndex}
      className="absolute inset-x-0 grid items-center border-b border-line hover:bg-raised/60"
      style={{ gridTemplateColumns: template, height, transform: `translateY(${start}px)` }}
    >
      {columns.map(({ id, cell }) => (
        // biome-ignore lint/a11y/useSemanticElements: positioned absolutely
        <div key={id} role="cell" className="min-w-0 truncate px-3">
          {cell(row)}
        </div>
      ))}
    </div>
  )
}
