import { type JsonShape, shapeOf } from '../base/json/byte-scanner.ts'
import { JsonSyntaxError } from '../base/json/error.ts'
import { asJson } from '../base/json/lenient.ts'
import { maxDepth } from '../base/json/limits.ts'
import { parsePrinted } from '../base/json/parse.ts'

/** Limit for one object. API servers accept far less. */
export const maxObjectBytes = 8 * 1024 * 1024
/** More than real objects of that size have, and few enough to be built without a noticeable delay. */
const maxValues = 200_000
/** Every shorter integer fits a double. Texts without such a run of digits need no closer check. */
const longNumber = /\d{16}/

/** Received data cannot be read safely or exactly: written back, it would change. */
export class Unreadable extends Error {
  readonly problem: string

  constructor(what: string, problem: string) {
    super(`${what} ${problem}`)
    this.name = 'Unreadable'
    this.problem = problem
  }
}

/** Undefined if it is not JSON. Throws Unreadable for input that would overflow the stack of code that walks it. */
export function readJson(bytes: Buffer, shape = shapeOf(bytes)): unknown {
  return asJson(textOf(bytes, shape))
}

/** The same for one object, which may be written back. */
export function readExactly(bytes: Buffer, shape = shapeOf(bytes)): unknown {
  const { value, text } = readObject(bytes, shape)
  if (longNumber.test(text) && holdsRoundedNumber(value))
    throw new Unreadable('the answer', 'holds a number that is too large to be kept exactly')
  return value
}

/** The same, but 64-bit integers that a double cannot represent become bigints. */
export function readLarge(bytes: Buffer): unknown {
  const { value, text } = readObject(bytes, shapeOf(bytes))
  if (value === undefined || !longNumber.test(text)) return value
  try {
    return parsePrinted(text, true)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new Unreadable('the answer', `cannot be read: ${error.message}`) : error
  }
}

function readObject(bytes: Buffer, shape: JsonShape): { readonly value: unknown; readonly text: string } {
  if (shape.values > maxValues) throw new Unreadable('the answer', `holds more than ${maxValues} values`)
  const text = textOf(bytes, shape)
  return { value: asJson(text), text }
}

function textOf(bytes: Buffer, { depth }: JsonShape): string {
  if (depth > maxDepth) throw new Unreadable('the answer', `is nested more than ${maxDepth} levels deep`)
  return bytes.toString('utf8')
}

function holdsRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsRoundedNumber)
}
