import type { Span } from '../../base/yaml-source/node.ts'

/** Stable names for scripts. */
export type ProblemCode =
  | 'syntax'
  | 'too-large'
  | 'unknown-field'
  | 'repeated-field'
  | 'missing-field'
  | 'wrong-type'
  | 'bad-value'
  | 'conflict'
  | 'patch'
  | 'no-effect'
  | 'risk'

export type ConfigPath = readonly (string | number)[]

/** Something that is wrong with a tenant.yaml, or worth a warning, and where. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly code: ProblemCode
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number
  /** How much of the line is meant; 0 where something is missing at its end. */
  readonly length: number
  /** Such as `sync.toHost.endpoints.patches[0].path`; empty for the document as a whole. */
  readonly field: string
  readonly message: string
  /** What to do about it. */
  readonly suggestion?: string
}

/** A problem before its place has been turned into a line and a column. */
export interface ConfigFinding {
  /** An error unless it says otherwise. */
  readonly severity?: 'warning'
  readonly code: ProblemCode
  readonly path: ConfigPath
  readonly span: Span
  readonly message: string
  readonly suggestion?: string
}

export type ReportFinding = (finding: ConfigFinding) => void

/** Where a value stands. `keySpan` is what to point at where nothing is written. */
export interface ConfigPlace {
  readonly path: ConfigPath
  readonly keySpan: Span
}
