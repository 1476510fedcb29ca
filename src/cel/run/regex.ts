import { RE2JS } from 're2js'
import { errorText } from '../../base/error-text.ts'
import { compilingEffort } from '../../base/pattern-effort.ts'
import { estimatedSize } from '../../base/pattern-size.ts'
import type { Meter } from '../meter.ts'
import { type CelFailure, type CelResult, failure } from '../value.ts'

/** In characters, and in steps once repetitions are counted. */
const longestPattern = 2000
const largestPattern = 2000
const tooLong = failure(`the regular expression is longer than ${longestPattern} characters`)
/** The work of compiling one step, and of matching one. */
const workOfCompiling = 300
const workOfStep = 2

/** How many are kept with an expression that uses them. */
const mostKept = 20

/** A user's regular expression: its time depends only on the length of the text and the size of the expression. */
export function patternOf(source: string, meter: Meter): RE2JS | CelFailure {
  if (source.length > longestPattern) return tooLong
  const known = meter.patterns.get(source)
  if (known !== undefined) return known
  const pattern = compiledPattern(source, (size) => meter.work(size * workOfCompiling))
  if ('kind' in pattern) return pattern
  if (meter.patterns.size >= mostKept) meter.patterns.clear()
  meter.patterns.set(source, pattern)
  return pattern
}

/** `pay` receives the number of characters before they are counted, and the effort before they are compiled. */
export function compiledPattern(source: string, pay: (size: number) => void): RE2JS | CelFailure {
  if (source.length > longestPattern) return tooLong
  pay(source.length)
  if (estimatedSize(source) > largestPattern) return failure('the regular expression has too many steps')
  pay(compilingEffort(source) - source.length)
  try {
    return RE2JS.compile(source)
  } catch (error) {
    return failure(errorText(error))
  }
}

/** Call it before a text is matched against a pattern. */
export function payForMatch(pattern: RE2JS, text: string, meter: Meter): void {
  meter.work((text.length + 1) * pattern.programSize() * workOfStep)
}

export function matchesRegex(text: string, source: string, meter: Meter): CelResult {
  const pattern = patternOf(source, meter)
  if ('kind' in pattern) return pattern
  payForMatch(pattern, text, meter)
  return pattern.matcher(text).find()
}
