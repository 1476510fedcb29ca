import type { PatchReference } from '../api/tenant-config/types.ts'
import type { PatchAction } from './contract.ts'
import { parsePath } from './path/parse.ts'
import type { Path } from './path/path.ts'
import { whyPathIsReserved } from './path/reserved.ts'
import type { ReportPatchProblem } from './problem.ts'

type PathField = 'apiVersionPath' | 'kindPath' | 'namePath' | 'namespacePath'

const pathFields: readonly PathField[] = ['apiVersionPath', 'kindPath', 'namePath', 'namespacePath']

/** A reference with `labels` means a label selector; its kind then only says what is selected. */
export function compileReference(
  reference: PatchReference,
  patchPath: Path | undefined,
  report: ReportPatchProblem,
): PatchAction {
  if (reference.labels !== undefined) {
    refusePaths(reference, 'a label selector has nothing like it', report)
    return { type: 'labels' }
  }
  requireEither(reference, 'apiVersion', report)
  requireEither(reference, 'kind', report)
  if (reference.namePath === undefined) refusePaths(reference, 'without namePath the value is a bare name', report)
  const paths = new Map(pathFields.map((field) => [field, relativePath(reference, field, report)]))
  refuseReserved('namePath', paths.get('namePath'), patchPath, report)
  refuseReserved('namespacePath', paths.get('namespacePath'), patchPath, report)
  return {
    type: 'reference',
    ...(reference.apiVersion && { apiVersion: reference.apiVersion }),
    ...(reference.kind && { kind: reference.kind }),
    ...Object.fromEntries([...paths].filter(([, path]) => path !== undefined)),
  }
}

function requireEither(reference: PatchReference, field: 'apiVersion' | 'kind', report: ReportPatchProblem): void {
  if (reference[field] || reference[`${field}Path`] !== undefined) return
  report({ code: 'action', field: ['reference'], offset: 0, message: `a reference needs ${field} or ${field}Path` })
}

function refusePaths(reference: PatchReference, why: string, report: ReportPatchProblem): void {
  for (const field of pathFields) {
    if (reference[field] === undefined) continue
    report({ code: 'reference', field: ['reference', field], offset: 0, message: `${field} has no effect: ${why}` })
  }
}

function relativePath(reference: PatchReference, name: PathField, report: ReportPatchProblem): Path | undefined {
  const text = reference[name]
  if (text === undefined) return undefined
  const field = ['reference', name]
  const parsed = parsePath(text)
  if (!parsed.ok) {
    report({ code: 'path', field, ...parsed.problem })
    return undefined
  }
  if (!parsed.path.some((element) => element.type === 'wildcard')) return parsed.path
  const message = `${name} names one field; a wildcard belongs into path`
  report({ code: 'reference', field, offset: text.lastIndexOf('*'), message })
  return undefined
}

function refuseReserved(
  name: PathField,
  path: Path | undefined,
  patchPath: Path | undefined,
  report: ReportPatchProblem,
): void {
  if (path === undefined || patchPath === undefined) return
  const reason = whyPathIsReserved([...patchPath, ...path])
  if (reason === undefined) return
  report({ code: 'reserved', field: ['reference', name], offset: 0, message: `out of reach of patches: ${reason}` })
}
