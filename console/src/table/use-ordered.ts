import { useRef } from 'react'
import type { Column, Sort } from './column.ts'
import { orderRows } from './order.ts'

interface Remembered<Row> {
  readonly rows: readonly Row[]
  readonly sort: Sort
  readonly ordered: readonly Row[]
}

/** The rows in order, worked out from the order before. */
export function useOrdered<Row>(
  rows: readonly Row[],
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const last = useRef<Remembered<Row>>(undefined)
  const known = last.current
  if (known !== undefined && known.rows === rows && known.sort === sort) return known.ordered
  const ordered = orderRows(rows, known?.ordered ?? [], sort, columns, keyOf)
  last.current = { rows, sort, ordered }
  return ordered
}
