import { useRef } from 'react'
import type { Column, Sort } from './column.ts'
import { type Ordered, orderRows } from './order.ts'

/** The rows in order, worked out from the order before. */
export function useOrdered<Row>(
  rows: readonly Row[],
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const last = useRef<{ readonly of: readonly Row[]; readonly ordered: Ordered<Row> }>(undefined)
  const known = last.current
  if (known !== undefined && known.of === rows && known.ordered.sort === sort) return known.ordered.rows
  const ordered = orderRows(rows, known?.ordered, sort, columns, keyOf)
  last.current = { of: rows, ordered }
  return ordered.rows
}
