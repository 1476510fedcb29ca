import type { CompiledExpression, Evaluation } from '../expression/contract.ts'
import type { CompiledPatch, Direction } from './contract.ts'
import { type Evaluated, evaluatedFrom } from './evaluated.ts'
import { withoutMarkers } from './markers.ts'
import { findMatches, type Match } from './path/matches.ts'
import { printConcretePath } from './path/print.ts'
import { isMarkerMap } from './path/reserved.ts'
import type { PatchRun } from './run.ts'

/** The evaluations of an expression for an object: one for every match. */
export interface Question {
  readonly expression: CompiledExpression
  readonly matches: readonly Match[]
}

export interface AnsweredQuestion extends Question {
  readonly results: readonly Evaluated[]
}

/** Undefined if the patch has no expression for this direction. */
export function questionAbout(object: unknown, patch: CompiledPatch, direction: Direction): Question | undefined {
  const expression = patch.action.type === 'expression' ? patch.action[direction] : undefined
  return expression && { expression, matches: findMatches(object, patch.path) }
}

/** Answers in the order of the questions, in one batch. */
export async function askQuestions(
  questions: readonly (Question | undefined)[],
  run: PatchRun,
): Promise<readonly (AnsweredQuestion | undefined)[]> {
  const batch = questions.flatMap((question) => (question === undefined ? [] : evaluationsOf(question, run)))
  const results = batch.length === 0 ? [] : (await run.engine.evaluate(batch)).map(evaluatedFrom)
  if (results.length !== batch.length) throw new Error('The expression engine gave another number of results.')
  let from = 0
  return questions.map((question) => {
    if (question === undefined) return undefined
    const to = from + question.matches.length
    const answer = { ...question, results: results.slice(from, to) }
    from = to
    return answer
  })
}

function evaluationsOf({ expression, matches }: Question, { context }: PatchRun): readonly Evaluation[] {
  const { vcluster, hostObject, virtualObject } = context
  return matches.map((match) => ({
    expression,
    value: isMarkerMap(match.path) ? withoutMarkers(match.value) : match.value,
    context: {
      vcluster,
      hostObject,
      virtualObject,
      path: expression.uses.path ? printConcretePath(match.path) : '',
    },
  }))
}
