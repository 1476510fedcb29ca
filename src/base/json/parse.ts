import { atOnce, type Steps } from '../steps.ts'
import { JsonSyntaxError } from './error.ts'
import { maxDepth, maxValues, tooDeep, tooManyValues } from './limits.ts'
import { type ParsedJson, parsePrecisely } from './precise.ts'
import { type JsonOutline, JsonScan } from './scan.ts'

export type { ParsedJson } from './precise.ts'

/**
 * Parses a request body. Throws JsonSyntaxError, worded like the errors of Go's parser, for text that is not JSON, is
 * nested too deeply, or holds a number that JavaScript would round; TooMuchError for more values than a client may
 * send.
 */
export function parseJson(text: string, mostValues = maxValues): ParsedJson {
  return atOnce(parseSteps(text, mostValues, false))
}

/** Like `parseJson`, but 64-bit integers that a double cannot hold become bigints. */
export function parseLargeJson(text: string, mostValues = maxValues): ParsedJson {
  return atOnce(parseSteps(text, mostValues, true))
}

/** Parses the output of `printJson`. `isLarge`: the value had a bigint. */
export function parsePrinted(text: string, isLarge: boolean): unknown {
  return isLarge ? parsePrecisely(text, true).value : JSON.parse(text)
}

/** `parseJson`, or `parseLargeJson` with `keepsLarge`, in steps. */
export function* parseSteps(text: string, mostValues: number, keepsLarge: boolean): Steps<ParsedJson> {
  const outline = yield* countSteps(text, mostValues)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    parsePrecisely(text)
    throw new JsonSyntaxError('the text is not valid JSON')
  }
  yield
  const told = outline.fraction ? { hasFraction: true } : {}
  if (outline.riskyNumber || outline.members !== countMembers(value)) {
    yield
    return { ...parsePrecisely(text, keepsLarge), ...told }
  }
  return { value, duplicateFields: noDuplicates, ...told }
}

function requireWithin({ depth, values }: JsonOutline, mostValues: number): void {
  if (depth > maxDepth) throw tooDeep()
  if (values > mostValues) throw tooManyValues(mostValues)
}

/** How many characters one step scans. */
const charactersPerStep = 64 * 1024

/** Throws for a text with too many values. */
export function* countSteps(text: string, mostValues: number): Steps<JsonOutline> {
  const scan = new JsonScan(text)
  while (!scan.isDone) {
    scan.advance(charactersPerStep)
    requireWithin(scan.outline, mostValues)
    yield
  }
  return scan.outline
}

const noDuplicates: readonly string[] = []

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item)
    return count
  }
  for (const member of Object.values(value)) count += 1 + countMembers(member)
  return count
}
