import type { Compilation, ExpressionProblem } from './contract.ts'
import { ContextUseCollector, everything } from './gate/context-use.ts'
import { findCommentLikeOperator, whyForbidden } from './gate/forbidden.ts'
import { NameCollector } from './gate/names.ts'
import { problemAt } from './gate/problem.ts'
import { parseExpression } from './gate/syntax.ts'
import { walk } from './gate/walk.ts'

/** Accepts exactly one expression that means the same to us and to the sandbox, and records what it accesses. */
export function compileExpression(source: string): Compilation {
  const parsed = parseExpression(source)
  if (!parsed.ok) return parsed
  const operator = findCommentLikeOperator(source, parsed.tokens)
  if (operator !== undefined)
    return refused(source, operator, 'put blanks between the signs: <!-- and --> are comments')
  const names = new NameCollector()
  const context = new ContextUseCollector()
  let forbidden: ExpressionProblem | undefined
  walk(parsed.tree, (visit) => {
    const reason = whyForbidden(visit)
    if (reason !== undefined) forbidden ??= problemAt(source, visit.node.start, reason)
    names.see(visit)
    context.see(visit)
  })
  if (forbidden !== undefined) return { ok: false, problem: forbidden }
  const shadowed = names.declares('context')
  const unknown = names.firstUnknown() ?? (shadowed ? undefined : context.firstUnknown)
  if (unknown !== undefined) return refused(source, unknown.offset, unknown.message)
  return { ok: true, expression: { source, uses: shadowed ? everything : context.result() } }
}

function refused(source: string, offset: number, message: string): Compilation {
  return { ok: false, problem: problemAt(source, offset, message) }
}
