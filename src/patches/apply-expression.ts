import { type AppliedPatch, failedAt, ledNowhere, leftAlone, replaced } from './applied-patch.ts'
import type { ExpressionAction } from './contract.ts'
import { type Evaluated, evaluateValues } from './evaluate.ts'
import { withMarkersOf, withoutMarkers } from './markers.ts'
import { findMatches, type Match } from './path/matches.ts'
import type { Path } from './path/path.ts'
import { printConcretePath } from './path/print.ts'
import { isMarkerMap } from './path/reserved.ts'
import type { PatchRun } from './run.ts'

/** Evaluates the expression of this direction for every match, all of them on the object as it was before. */
export async function applyExpression(
  object: unknown,
  path: Path,
  action: ExpressionAction,
  run: PatchRun,
): Promise<AppliedPatch> {
  const expression = action[run.direction]
  if (expression === undefined) return leftAlone(object)
  const matches = findMatches(object, path)
  if (matches.length === 0) return ledNowhere(object)
  const inputs = matches.map((match) => ({
    value: visibleAt(match),
    path: expression.uses.path ? printConcretePath(match.path) : '',
  }))
  const evaluated = await evaluateValues(run.engine, expression, run.context, inputs)
  const values: unknown[] = []
  for (const [position, match] of matches.entries()) {
    const result = resultAt(match, evaluated[position])
    if (!result.ok) {
      return failedAt(object, match, matches.length, { expression: expression.source, message: result.message })
    }
    values.push(result.value)
  }
  return replaced(object, matches, values)
}

function visibleAt(match: Match): unknown {
  return isMarkerMap(match.path) ? withoutMarkers(match.value) : match.value
}

function resultAt(match: Match, evaluated: Evaluated | undefined): Evaluated {
  if (evaluated === undefined) throw new Error('The expression engine gave fewer results than it was asked for.')
  return evaluated.ok && isMarkerMap(match.path) ? withMarkersOf(match.value, evaluated.value) : evaluated
}
