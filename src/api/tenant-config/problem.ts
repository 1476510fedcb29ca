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

/** A problem or a warning in a tenant.yaml, and its position. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly code: ProblemCode
  readonly file: string
  /** Counts from 1. */
  readonly line: number
  /** Counts from 1, in UTF-16 units, as editors do. */
  readonly column: number
  /** The length of the affected text; 0 if something is missing at the end of the line. */
  readonly length: number
  /** Such as `sync.toHost.endpoints.patches[0].path`; empty for the document as a whole. */
  readonly field: string
  readonly message: string
  /** What to do about it. */
  readonly suggestion?: string
}

/** A problem whose position has not been converted to a line and a column yet. */
export interface ConfigFinding {
  /** An error by default. */
  readonly severity?: 'warning'
  readonly code: ProblemCode
  readonly path: ConfigPath
  readonly span: Span
  readonly message: string
  readonly suggestion?: string
}

export type ReportFinding = (finding: ConfigFinding) => void

/** The place of a value. `keySpan` is marked if nothing is written. */
export interface ConfigPlace {
  readonly path: ConfigPath
  readonly keySpan: Span
}
