import { Choice } from '../parts/field.tsx'
import type { Column, Sort } from './column.ts'

interface NarrowSortProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

const directions = ['ascending', 'descending'] as const

/** Selects the order if there is no room for clickable headers. */
export function NarrowSort<Row>({ columns, sort, onSort }: NarrowSortProps<Row>) {
  const orders = columns
    .filter(({ sortBy }) => sortBy !== undefined)
    .flatMap(({ id, header }) => directions.map((direction) => ({ id, header, direction })))
  const choices = orders.map(
    ({ id, header, direction }) =>
      [`${id} ${direction}`, `By ${header.toLowerCase()}${direction === 'ascending' ? '' : ', from the end'}`] as const,
  )
  const choose = (value: string) => {
    const chosen = orders.find(({ id, direction }) => `${id} ${direction}` === value)
    if (chosen !== undefined) onSort({ column: chosen.id, direction: chosen.direction })
  }
  return (
    <div className="border-b border-line p-2">
      <Choice aria-label="Order" value={`${sort.column} ${sort.direction}`} choices={choices} onChange={choose} />
    </div>
  )
}
