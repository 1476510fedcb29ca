import type { Column, Sort } from './column.ts'

interface HeaderRowProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly template: string
  readonly minWidth: string
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

export function HeaderRow<Row>({ columns, template, minWidth, sort, onSort }: HeaderRowProps<Row>) {
  const choose = (column: string) => {
    const isSame = sort.column === column && sort.direction === 'ascending'
    onSort({ column, direction: isSame ? 'descending' : 'ascending' })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: belongs to absolutely positioned rows, which a table element cannot have
    <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-raised" style={{ minWidth }}>
      {/* biome-ignore lint/a11y/useSemanticElements: belongs to absolutely positioned rows, which a table element cannot have */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the content of the row can be focused */}
      <div role="row" aria-rowindex={1} className="grid h-9 items-center" style={{ gridTemplateColumns: template }}>
        {columns.map(({ id, header, sortBy }) => (
          // biome-ignore lint/a11y/useSemanticElements: belongs to absolutely positioned rows, which a table element cannot have
          // biome-ignore lint/a11y/useFocusableInteractive: the content of the cell can be focused
          <div
            key={id}
            role="columnheader"
            className="min-w-0 truncate px-3 text-xs font-semibold text-muted"
            aria-sort={sort.column === id ? sort.direction : 'none'}
          >
            {sortBy === undefined ? (
              <span className={header === '' ? 'sr-only' : ''}>{header || 'Actions'}</span>
            ) : (
              <button type="button" className="-mx-1 rounded px-1 hover:text-text" onClick={() => choose(id)}>
                {header}
                <span aria-hidden="true" className="ml-1">
                  {sort.column === id ? (sort.direction === 'ascending' ? '↑' : '↓') : ''}
                </span>
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
