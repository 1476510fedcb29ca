import { useMemo, useState } from 'react'
import type { Column, Sort } from './column.ts'
import { RowOrder } from './order.ts'

/** The sorted rows, computed from the previous order. */
export function useOrdered<Row>(
  rows: readonly Row[],
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const [order] = useState(() => new RowOrder(keyOf))
  // Columns are recreated as time passes, but sort the same
  return useMemo(() => order.update(rows, sort, columns), [order, rows, sort])
}
