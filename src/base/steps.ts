/** Members of an object or items of a list that are processed in one step. */
export const itemsPerStep = 256

/** Work divided into steps; the caller may rest after each. */
export type Steps<Result> = Generator<void, Result, void>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value
}
