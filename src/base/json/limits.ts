import { JsonSyntaxError, TooMuchError } from './error.ts'

/** Deeper values would overflow the stack of code that walks them later. */
export const maxDepth = 1000

/**
 * Members and items in one text. Processing one costs far more than its few bytes, so they are counted before anything
 * is built.
 */
export const maxValues = 25_000

/** How many duplicate members are reported by name; more would not be read. */
export const maxDuplicates = 100

export function tooDeep(): JsonSyntaxError {
  return new JsonSyntaxError('exceeded max depth')
}

export function tooManyValues(most = maxValues): TooMuchError {
  return new TooMuchError(`there are more than ${most} values in it`)
}

/** Counts values while they are read one by one. */
export class ValueCount {
  #left = maxValues

  add(count = 1): void {
    this.#left -= count
    if (this.#left < 0) throw tooManyValues()
  }
}

/** Whether a parsed value exceeds `maxValues`. Stops as soon as it knows. */
export function holdsTooMuch(value: unknown): boolean {
  let left = maxValues
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inside = Array.isArray(next) ? next : Object.values(next)
    left -= inside.length
    if (left < 0) return true
    for (const each of inside) if (typeof each === 'object' && each !== null) waiting.push(each)
  }
  return false
}
