import { type AppliedPatch, failedAt, pathNotFound, replaced } from './applied-patch.ts'
import type { Evaluated } from './evaluated.ts'
import { withMarkersOf } from './markers.ts'
import type { Match } from './path/matches.ts'
import { isMarkerMap } from './path/reserved.ts'
import type { AnsweredQuestion } from './question.ts'

/** Puts the expression's result for each match in its place. */
export function applyAnswer(object: unknown, { expression, matches, results }: AnsweredQuestion): AppliedPatch {
  if (matches.length === 0) return pathNotFound(object)
  const values: unknown[] = []
  for (const [position, match] of matches.entries()) {
    const result = resultAt(match, results[position])
    if (!result.ok) {
      return failedAt(object, match, matches.length, { expression: expression.source, message: result.message })
    }
    values.push(result.value)
  }
  return replaced(object, matches, values)
}

function resultAt(match: Match, result: Evaluated | undefined): Evaluated {
  if (result === undefined) throw new Error('There is a match without a result.')
  return result.ok && isMarkerMap(match.path) ? withMarkersOf(match.value, result.value) : result
}
