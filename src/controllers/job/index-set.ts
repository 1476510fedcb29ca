/** Both ends belong to it. */
interface Interval {
  readonly first: number
  readonly last: number
}

const zero = '0'.charCodeAt(0)
const mostDigits = 10

/** Completion indexes as intervals in order, so that a million of them may cost no more than one. */
export type IndexSet = readonly Interval[]

/**
 * Reads `1,3-5,7`, the form of a status. What is not below `completions`, not in order or no number is left out: a Job may
 * have shrunk, and users may write a status as well.
 */
export function parseIndexes(text: string, completions: number): IndexSet {
  const read: Interval[] = []
  for (let at = 0; at < text.length; ) {
    const comma = text.indexOf(',', at)
    const end = comma < 0 ? text.length : comma
    const interval = intervalIn(text, at, end)
    const first = interval?.first ?? 0
    const last = Math.min(interval?.last ?? -1, completions - 1)
    if (last >= first && first > (read.at(-1)?.last ?? -1)) append(read, { first, last })
    at = end + 1
  }
  return read
}

function intervalIn(text: string, from: number, to: number): Interval | undefined {
  let hyphen = from
  while (hyphen < to && text[hyphen] !== '-') hyphen++
  const first = numberIn(text, from, hyphen)
  const last = hyphen === to ? first : numberIn(text, hyphen + 1, to)
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** There may be hundreds of thousands, at each look: digits are read one by one. */
function numberIn(text: string, from: number, to: number): number | undefined {
  if (to <= from || to - from > mostDigits) return undefined
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - zero
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Two neighbors are written as two: `1,2`, and more as `1-3`. */
export function printIndexes(set: IndexSet): string {
  return set
    .map(({ first, last }) => {
      if (first === last) return `${first}`
      return last - first === 1 ? `${first},${last}` : `${first}-${last}`
    })
    .join(',')
}

export function indexCount(set: IndexSet): number {
  return set.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

export function hasIndex(set: IndexSet, index: number): boolean {
  let low = 0
  let high = set.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const interval = set[middle]
    if (interval === undefined) return false
    if (index >= interval.first && index <= interval.last) return true
    if (index < interval.first) high = middle - 1
    else low = middle + 1
  }
  return false
}

/** `added` in any order, and more than once. */
export function withIndexes(set: IndexSet, added: Iterable<number>): IndexSet {
  const more = [...added].sort((left, right) => left - right).map((index) => ({ first: index, last: index }))
  return more.length === 0 ? set : unionOf(set, more)
}

export function unionOf(left: IndexSet, right: IndexSet): IndexSet {
  const all: Interval[] = []
  for (const interval of merged(left, right)) append(all, interval)
  return all
}

export function commonCount(left: IndexSet, right: IndexSet): number {
  let count = 0
  for (let atLeft = 0, atRight = 0; ; ) {
    const one = left[atLeft]
    const other = right[atRight]
    if (one === undefined || other === undefined) return count
    count += Math.max(0, Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1)
    if (one.last < other.last) atLeft++
    else atRight++
  }
}

/** The first so many that are not in the set. It costs what is asked for and the intervals, never all completions. */
export function firstMissing(set: IndexSet, count: number, completions: number): readonly number[] {
  const found: number[] = []
  let next = 0
  for (const { first, last } of [...set, { first: completions, last: completions }]) {
    while (next < Math.min(first, completions) && found.length < count) found.push(next++)
    if (found.length >= count) return found
    next = last + 1
  }
  return found
}

function* merged(left: IndexSet, right: IndexSet): Generator<Interval> {
  let atLeft = 0
  let atRight = 0
  for (;;) {
    const one = left[atLeft]
    const other = right[atRight]
    if (one === undefined && other === undefined) return
    if (other === undefined || (one !== undefined && one.first <= other.first)) {
      if (one !== undefined) yield one
      atLeft++
    } else {
      yield other
      atRight++
    }
  }
}

/** To a list that ends at or before where it begins, or overlaps with it. */
function append(list: Interval[], { first, last }: Interval): void {
  const before = list.at(-1)
  if (before === undefined || first > before.last + 1) list.push({ first, last })
  else list[list.length - 1] = { first: before.first, last: Math.max(before.last, last) }
}
