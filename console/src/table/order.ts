import type { Column, Sort } from './column.ts'

/** Rows in order, and what is needed to put the next version of them in order cheaply. */
export interface Ordered<Row> {
  readonly rows: readonly Row[]
  readonly byKey: ReadonlyMap<string, Row>
  readonly sort: Sort
}

/**
 * Rows in the order of a column. `before` is the order so far: what has not changed since keeps its place, and only what has
 * changed is looked for a new one.
 */
export function orderRows<Row>(
  rows: readonly Row[],
  before: Ordered<Row> | undefined,
  sort: Sort,
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
): Ordered<Row> {
  const sortBy = columns.find(({ id }) => id === sort.column)?.sortBy
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  if (sortBy === undefined) return { rows, byKey, sort }
  const compare = comparing(sortBy, sort.direction === 'ascending' ? 1 : -1)
  if (before === undefined || before.sort !== sort) return { rows: [...rows].sort(compare), byKey, sort }
  const kept = before.rows.filter((row) => byKey.get(keyOf(row)) === row)
  const changed = rows.filter((row) => before.byKey.get(keyOf(row)) !== row)
  return { rows: merged(kept, changed.sort(compare), compare), byKey, sort }
}

type Compare<Row> = (a: Row, b: Row) => number

function comparing<Row>(sortBy: NonNullable<Column<Row>['sortBy']>, sign: number): Compare<Row> {
  return (left, right) => {
    const [a, b] = [sortBy(left), sortBy(right)]
    if (a === b) return 0
    if (a === undefined) return 1
    if (b === undefined) return -1
    return a < b ? -sign : sign
  }
}

/** Two lists in order become one. */
function merged<Row>(left: readonly Row[], right: readonly Row[], compare: Compare<Row>): readonly Row[] {
  if (right.length === 0) return left
  const result: Row[] = []
  let position = 0
  for (const row of left) {
    for (let next = right[position]; next !== undefined && compare(next, row) < 0; next = right[position]) {
      result.push(next)
      position += 1
    }
    result.push(row)
  }
  for (const row of right.slice(position)) result.push(row)
  return result
}
