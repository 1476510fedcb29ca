import { quoted } from '../human/go-syntax.ts'

export type IndexInterval = readonly [first: number, last: number]

export type ReadIntervals =
  | { readonly intervals: readonly IndexInterval[]; readonly problem?: undefined }
  | { readonly intervals?: undefined; readonly problem: string }

/** Reads `1,3-5`, in ascending order and below the number of completions. */
export function readIndexIntervals(text: string, completions: number): ReadIntervals {
  if (text === '') return { intervals: [] }
  const intervals: IndexInterval[] = []
  let previous = -1
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return { problem: interval }
    if (previous >= interval[0]) return { problem: outOfOrder(previous, interval[0]) }
    intervals.push(interval)
    previous = interval[1]
  }
  return { intervals }
}

/** The interval, or a description of the problem. */
function readInterval(text: string, completions: number): IndexInterval | string {
  const limits = text.split('-')
  if (limits.length > 2) {
    return `the fragment ${quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const limit of limits) {
    if (!/^\d{1,10}$/.test(limit)) return `cannot convert string to integer for index: ${quoted(limit)}`
    if (Number(limit) >= completions) return `too large index: ${quoted(limit)}`
    numbers.push(Number(limit))
  }
  const [first = 0, last = first] = numbers
  return limits.length === 2 && first >= last ? outOfOrder(first, last) : [first, last]
}

function outOfOrder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`
}
