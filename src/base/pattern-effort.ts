import { estimatedSize } from './pattern-size.ts'

/** A table of Unicode, such as that of all letters, is copied and sorted. */
const effortOfTable = 150
/** With case folding, each character of a range is looked up: some have 125,000. */
const effortOfWideRange = 2_000
/** Also of brackets, and of the content of classes, which are no steps. */
const effortOfCharacter = 2

const escaped = /\\([\s\S])/g
const foldsCase = /\(\?[a-zA-Z-]*i/
/** Beyond ASCII, or by its number. */
const wideRange = /-(?=[^\x20-\x7e]|\\[x0-7])/g

/**
 * The approximate effort of compiling a regular expression, in steps of `estimatedSize`. A class is one step however
 * much it contains, but what it contains may take seconds to prepare.
 */
export function compilingEffort(source: string): number {
  const inClasses = tablesIn(source) * effortOfTable + wideRangesIn(source) * effortOfWideRange
  return estimatedSize(source) + source.length * effortOfCharacter + inClasses
}

function tablesIn(source: string): number {
  let tables = 0
  for (const [, letter] of source.matchAll(escaped)) if (letter === 'p' || letter === 'P') tables += 1
  return tables
}

function wideRangesIn(source: string): number {
  return foldsCase.test(source) ? (source.match(wideRange)?.length ?? 0) : 0
}
