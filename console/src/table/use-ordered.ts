import { useMemo, useState } from 'react'
import type { Column, Sort } from './column.ts'
import { RowOrder } from './order.ts'

/** The rows in order, worked out from the order before. */
export function useOrdered<Row>(
  rows: readonly Row[],
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const [order] = useState(() => new RowOrder(keyOf))
  // Columns are made anew as time passes, and sort by the same
  return useMemo(() => order.update(rows, sort, columns), [order, rows, sort])
}
