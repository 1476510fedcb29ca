import type { Column, Sort } from './column.ts'

type Compare<Row> = (a: Row, b: Row) => number

/**
 * Keeps rows sorted by a column. Unchanged rows keep their place; only changed ones are placed again, so that a few
 * changes among many rows cost little. Equal rows are sorted by their keys.
 */
export class RowOrder<Row> {
  readonly #keyOf: (row: Row) => string
  #rows: readonly Row[] = []
  #ordered: readonly Row[] = []
  #sort: Sort | undefined

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf
  }

  /** Returns the same list when nothing has changed. */
  update(rows: readonly Row[], sort: Sort, columns: readonly Column<Row>[]): readonly Row[] {
    const compare = comparing(columns.find(({ id }) => id === sort.column)?.sortBy, sort, this.#keyOf)
    if (this.#sort !== sort) this.#ordered = [...rows].sort(compare)
    else {
      const { fresh, stale } = difference(this.#rows, rows)
      if (fresh.length > 0 || stale.size > 0) {
        const kept = stale.size === 0 ? this.#ordered : this.#ordered.filter((row) => !stale.has(row))
        this.#ordered = merged(kept, fresh.sort(compare), compare)
      }
    }
    this.#rows = rows
    this.#sort = sort
    return this.#ordered
  }
}

/** Compares place by place: a row that only moved is removed and inserted again. */
function difference<Row>(before: readonly Row[], after: readonly Row[]) {
  const fresh: Row[] = []
  const stale = new Set<Row>()
  after.forEach((row, place) => {
    if (row !== before[place]) fresh.push(row)
  })
  before.forEach((row, place) => {
    if (row !== after[place]) stale.add(row)
  })
  return { fresh, stale }
}

function comparing<Row>(
  sortBy: Column<Row>['sortBy'] = () => undefined,
  { direction }: Sort,
  keyOf: (row: Row) => string,
): Compare<Row> {
  const sign = direction === 'ascending' ? 1 : -1
  return (left, right) => {
    const a = sortBy(left)
    const b = sortBy(right)
    if (a === b) return keyOf(left) < keyOf(right) ? -1 : 1
    if (a === undefined) return 1
    if (b === undefined) return -1
    return a < b ? -sign : sign
  }
}

/** Merges two sorted lists. The second is short, so its places are found by search. */
function merged<Row>(kept: readonly Row[], fresh: readonly Row[], compare: Compare<Row>): readonly Row[] {
  const result: Row[] = []
  let position = 0
  for (const row of fresh) {
    const place = placeOf(row, kept, position, compare)
    for (; position < place; position += 1) pushAt(result, kept, position)
    result.push(row)
  }
  for (; position < kept.length; position += 1) pushAt(result, kept, position)
  return result
}

function pushAt<Row>(result: Row[], kept: readonly Row[], position: number): void {
  const row = kept[position]
  if (row !== undefined) result.push(row)
}

/** The first place at or after `from` whose row does not come before this one. */
function placeOf<Row>(row: Row, kept: readonly Row[], from: number, compare: Compare<Row>): number {
  let [low, high] = [from, kept.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = kept[middle]
    if (there !== undefined && compare(there, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
