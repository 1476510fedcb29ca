import type { PatchConfig } from '../api/tenant-config/types.ts'
import { compileExpression } from '../expression/compile.ts'
import type { CompiledExpression } from '../expression/contract.ts'
import { compileReference } from './compile-reference.ts'
import type { CompiledPatch, ExpressionAction, PatchAction } from './contract.ts'
import { parsePath } from './path/parse.ts'
import type { Path } from './path/path.ts'
import { printPatchPath } from './path/print.ts'
import { whyPathIsReserved } from './path/reserved.ts'
import type { PatchProblem, ReportPatchProblem } from './problem.ts'

export type CompiledPatches =
  | { readonly ok: true; readonly patches: readonly CompiledPatch[] }
  | { readonly ok: false; readonly problems: readonly PatchProblem[] }

/** All problems of a list of patches at once, or the compiled list. */
export function compilePatches(patches: readonly PatchConfig[]): CompiledPatches {
  const problems: PatchProblem[] = []
  const taken = new Set<string>()
  const compiled = patches.flatMap((patch, index) => {
    const report: ReportPatchProblem = (problem) => problems.push({ index, ...problem })
    const path = compilePath(patch.path, report)
    if (path !== undefined) claimPath(path, taken, report)
    const action = compileAction(patch, path, report)
    return path === undefined || action === undefined ? [] : [{ path, pathText: patch.path, action }]
  })
  return problems.length === 0 ? { ok: true, patches: compiled } : { ok: false, problems }
}

/** For a configuration that was validated. */
export function compileCheckedPatches(patches: readonly PatchConfig[]): readonly CompiledPatch[] {
  const compiled = compilePatches(patches)
  if (!compiled.ok) throw new Error('A configuration that was checked has patches that do not compile.')
  return compiled.patches
}

function compilePath(text: string, report: ReportPatchProblem): Path | undefined {
  const field = ['path']
  const parsed = parsePath(text)
  if (!parsed.ok) {
    report({ code: 'path', field, ...parsed.problem })
    return undefined
  }
  const reason = whyPathIsReserved(parsed.path)
  if (reason === undefined) return parsed.path
  report({ code: 'reserved', field, offset: 0, message: `out of reach of patches: ${reason}` })
  return undefined
}

/** Different spellings may be the same path. */
function claimPath(path: Path, taken: Set<string>, report: ReportPatchProblem): void {
  const printed = printPatchPath(path)
  if (taken.has(printed)) {
    const message = 'another patch of the list has the same path; put both changes into one'
    report({ code: 'duplicate', field: ['path'], offset: 0, message })
  }
  taken.add(printed)
}

function compileAction(
  patch: PatchConfig,
  path: Path | undefined,
  report: ReportPatchProblem,
): PatchAction | undefined {
  const expressions = compileExpressions(patch, report)
  const reference = patch.reference && compileReference(patch.reference, path, report)
  const labels: PatchAction | undefined = patch.labels && { type: 'labels' }
  const [action, ...others] = [expressions, reference, labels].filter((each) => each !== undefined)
  if (action !== undefined && others.length === 0) return action
  const message = `a patch has expressions, or reference, or labels; this one has ${action ? 'several' : 'none'} of them`
  report({ code: 'action', field: [], offset: 0, message })
  return undefined
}

function compileExpressions(patch: PatchConfig, report: ReportPatchProblem): ExpressionAction | undefined {
  if (patch.expression === undefined && patch.reverseExpression === undefined) return undefined
  const toHost = compileSource('expression', patch.expression, report)
  const toVirtual = compileSource('reverseExpression', patch.reverseExpression, report)
  return {
    type: 'expression',
    ...(toHost !== undefined && { toHost }),
    ...(toVirtual !== undefined && { toVirtual }),
  }
}

function compileSource(
  field: string,
  source: string | undefined,
  report: ReportPatchProblem,
): CompiledExpression | undefined {
  if (source === undefined) return undefined
  const compiled = compileExpression(source)
  if (compiled.ok) return compiled.expression
  const { offset, message } = compiled.problem
  report({ code: 'expression', field: [field], offset, message })
  return undefined
}
