import { type ConfigDocument, positionOf } from '../api/tenant-config/document.ts'
import { type PatchList, patchListsOf } from '../api/tenant-config/patch-lists.ts'
import type { ConfigPath, Problem } from '../api/tenant-config/problem.ts'
import { printConfigPath } from '../api/tenant-config/wording.ts'
import { compilePatches } from './compile.ts'
import type { PatchProblem } from './problem.ts'

/**
 * The problems of paths and expressions in a tenant.yaml, each with its place in the file. Problems that the field
 * validation already reports are not repeated.
 */
export function patchProblemsOf(document: ConfigDocument): readonly Problem[] {
  return patchListsOf(document).flatMap((list) => {
    const compiled = compilePatches(list.patches)
    if (compiled.ok) return []
    return compiled.problems
      .filter((problem) => !isSeenByFields(problem, list))
      .map((problem) => located(document, problem, placeOf(list, problem)))
  })
}

function isSeenByFields({ code, index }: PatchProblem, { patches }: PatchList): boolean {
  if (code !== 'duplicate') return code === 'action'
  return patches.slice(0, index).some((earlier) => earlier.path === patches[index]?.path)
}

function placeOf({ path, indexes }: PatchList, { index, field }: PatchProblem): ConfigPath {
  return [...path, indexes[index] ?? index, ...field]
}

function located(document: ConfigDocument, problem: PatchProblem, path: ConfigPath): Problem {
  return {
    severity: 'error',
    code: 'patch',
    file: document.file,
    ...positionOf(document, path, problem.offset),
    field: printConfigPath(path),
    message: problem.message,
  }
}
