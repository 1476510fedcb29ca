import type { Column, Sort } from './column.ts'

type Compare<Row> = (a: Row, b: Row) => number

/**
 * Keeps rows in the order of a column. What has not changed keeps its place; only what has changed is looked for a new one, so
 * that a few changes among many rows cost little.
 */
export class RowOrder<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #byKey = new Map<string, Row>()
  #ordered: readonly Row[] = []
  #sort: Sort | undefined

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf
  }

  /** The same list as before when nothing has changed. */
  update(rows: readonly Row[], sort: Sort, columns: readonly Column<Row>[]): readonly Row[] {
    const compare = comparing(columns.find(({ id }) => id === sort.column)?.sortBy, sort)
    const { fresh, stale } = this.#take(rows)
    if (this.#sort !== sort) this.#ordered = [...rows].sort(compare)
    else if (fresh.length > 0 || stale.size > 0) {
      const kept = stale.size === 0 ? this.#ordered : this.#ordered.filter((row) => !stale.has(row))
      this.#ordered = merged(kept, fresh.sort(compare), compare)
    }
    this.#sort = sort
    return this.#ordered
  }

  /** What is new in these rows, and what of the rows before is no longer there. */
  #take(rows: readonly Row[]): { readonly fresh: Row[]; readonly stale: ReadonlySet<Row> } {
    const fresh: Row[] = []
    const stale = new Set<Row>()
    for (const row of rows) {
      const key = this.#keyOf(row)
      const before = this.#byKey.get(key)
      if (before === row) continue
      if (before !== undefined) stale.add(before)
      this.#byKey.set(key, row)
      fresh.push(row)
    }
    if (this.#byKey.size > rows.length) this.#forgetAllBut(new Set(rows), stale)
    return { fresh, stale }
  }

  #forgetAllBut(present: ReadonlySet<Row>, stale: Set<Row>): void {
    for (const [key, row] of this.#byKey) {
      if (present.has(row)) continue
      stale.add(row)
      this.#byKey.delete(key)
    }
  }
}

function comparing<Row>(sortBy: Column<Row>['sortBy'], { direction }: Sort): Compare<Row> {
  const sign = direction === 'ascending' ? 1 : -1
  if (sortBy === undefined) return () => 0
  return (left, right) => {
    const a = sortBy(left)
    const b = sortBy(right)
    if (a === b) return 0
    if (a === undefined) return 1
    if (b === undefined) return -1
    return a < b ? -sign : sign
  }
}

/** Two lists in order become one. The second is short, so its places are looked up. */
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
