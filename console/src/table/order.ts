import type { Column, Sort } from './column.ts'

/**
 * Rows in the order of a column. `previous` is the order before: when few rows have changed it is nearly right already, and
 * putting a nearly sorted list in order costs little.
 */
export function orderRows<Row>(
  rows: readonly Row[],
  previous: readonly Row[],
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sort.column)?.sortBy
  if (sortBy === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  const keyed = inOrderOf(previous, rows, keyOf).map((row) => ({ row, value: sortBy(row) }))
  return keyed.sort((a, b) => compare(a.value, b.value, sign)).map(({ row }) => row)
}

function inOrderOf<Row>(previous: readonly Row[], rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  if (previous.length === 0) return rows
  const current = new Map(rows.map((row) => [keyOf(row), row]))
  const kept: Row[] = []
  for (const row of previous) {
    const key = keyOf(row)
    const now = current.get(key)
    if (now === undefined) continue
    kept.push(now)
    current.delete(key)
  }
  for (const row of current.values()) kept.push(row)
  return kept
}

type Value = string | number | undefined

function compare(a: Value, b: Value, sign: number): number {
  if (a === b) return 0
  if (a === undefined) return 1
  if (b === undefined) return -1
  return a < b ? -sign : sign
}
