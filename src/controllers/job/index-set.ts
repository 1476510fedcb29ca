const zero = '0'.charCodeAt(0)
const mostDigits = 10

/**
 * Completion indexes as sorted intervals, so that a million of them may cost no more than one. Each interval is two numbers,
 * its first and its last index: a status may hold a hundred thousand intervals, too many to make an object of each.
 */
export type IndexSet = readonly number[]

/**
 * Reads `1,3-5,7`, the form used in a status. Indexes that are out of range, out of order or not numbers are left out:
 * a Job may have shrunk, and users may write a status too.
 */
export function parseIndexes(text: string, completions: number): IndexSet {
  const read: number[] = []
  for (let at = 0; at < text.length; ) {
    const comma = text.indexOf(',', at)
    const end = comma < 0 ? text.length : comma
    const hyphen = hyphenIn(text, at, end)
    const first = numberIn(text, at, hyphen) ?? completions
    const last = hyphen === end ? first : (numberIn(text, hyphen + 1, end) ?? -1)
    if (first < completions && last >= first && first > endOf(read))
      append(read, first, Math.min(last, completions - 1))
    at = end + 1
  }
  return read
}

/** The position of the hyphen, or `to` if there is none. */
function hyphenIn(text: string, from: number, to: number): number {
  let at = from
  while (at < to && text[at] !== '-') at++
  return at
}

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

/** Two neighbors are written as `1,2`, and more as `1-3`. */
export function printIndexes(set: IndexSet): string {
  let text = ''
  for (let at = 0; at < set.length; at += 2) {
    const [first, last] = [firstAt(set, at), lastAt(set, at)]
    if (at > 0) text += ','
    text += first
    if (last > first) text += `${last - first === 1 ? ',' : '-'}${last}`
  }
  return text
}

export function indexCount(set: IndexSet): number {
  let count = 0
  for (let at = 0; at < set.length; at += 2) count += lastAt(set, at) - firstAt(set, at) + 1
  return count
}

export function hasIndex(set: IndexSet, index: number): boolean {
  let low = 0
  let high = set.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (index < firstAt(set, middle * 2)) high = middle - 1
    else if (index > lastAt(set, middle * 2)) low = middle + 1
    else return true
  }
  return false
}

/** `added` may be in any order, with duplicates. */
export function withIndexes(set: IndexSet, added: Iterable<number>): IndexSet {
  const more = [...added].sort((left, right) => left - right).flatMap((index) => [index, index])
  return more.length === 0 ? set : unionOf(set, more)
}

export function unionOf(left: IndexSet, right: IndexSet): IndexSet {
  const all: number[] = []
  let atLeft = 0
  let atRight = 0
  while (atLeft < left.length || atRight < right.length) {
    const isLeft = atRight >= right.length || (atLeft < left.length && firstAt(left, atLeft) <= firstAt(right, atRight))
    if (isLeft) append(all, firstAt(left, atLeft), lastAt(left, atLeft))
    else append(all, firstAt(right, atRight), lastAt(right, atRight))
    if (isLeft) atLeft += 2
    else atRight += 2
  }
  return all
}

export function commonCount(left: IndexSet, right: IndexSet): number {
  let count = 0
  for (let atLeft = 0, atRight = 0; atLeft < left.length && atRight < right.length; ) {
    const first = Math.max(firstAt(left, atLeft), firstAt(right, atRight))
    const last = Math.min(lastAt(left, atLeft), lastAt(right, atRight))
    count += Math.max(0, last - first + 1)
    if (lastAt(left, atLeft) < lastAt(right, atRight)) atLeft += 2
    else atRight += 2
  }
  return count
}

/**
 * The first `count` indexes that are not in the set. The cost depends on `count` and the intervals, not on the
 * completions.
 */
export function firstMissing(set: IndexSet, count: number, completions: number): readonly number[] {
  const found: number[] = []
  let next = 0
  for (let at = 0; next < completions && found.length < count; at += 2) {
    const end = at < set.length ? Math.min(firstAt(set, at), completions) : completions
    while (next < end && found.length < count) found.push(next++)
    if (at < set.length && found.length < count) next = lastAt(set, at) + 1
  }
  return found
}

function firstAt(set: IndexSet, at: number): number {
  return set[at] ?? Number.POSITIVE_INFINITY
}

function lastAt(set: IndexSet, at: number): number {
  return set[at + 1] ?? Number.POSITIVE_INFINITY
}

function endOf(set: IndexSet): number {
  return set[set.length - 1] ?? -1
}

/** The interval must start at or after the start of the last one in the list; it may overlap with it. */
function append(list: number[], first: number, last: number): void {
  const before = endOf(list)
  if (list.length === 0 || first > before + 1) list.push(first, last)
  else list[list.length - 1] = Math.max(before, last)
}
