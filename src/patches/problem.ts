/**
 * `action`: not exactly one of expressions, reference and labels, or a reference without a kind; `duplicate`: another
 * patch of the list has this path; `reserved`: the path leads to what patches cannot reach.
 */
export type PatchProblemCode = 'action' | 'duplicate' | 'expression' | 'path' | 'reference' | 'reserved'

/** The problem with one field of one patch, so that a caller that has the file can point at it. */
export interface PatchProblem {
  readonly code: PatchProblemCode
  /** The position of the patch in its list. */
  readonly index: number
  /** Members from the patch down, such as `reference`, `namePath`; empty if it concerns the patch as a whole. */
  readonly field: readonly string[]
  /** The offset in the field's text, in UTF-16 units from 0. */
  readonly offset: number
  readonly message: string
}

export type ReportPatchProblem = (problem: Omit<PatchProblem, 'index'>) => void
