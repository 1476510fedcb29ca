import type { PathElement } from '../../base/json/path.ts'

/** Where a validation is, and what it may still cost. */
export interface ValidationContext {
  readonly path: PathElement[]
  /** Nodes of the schema that may still be held against values, and steps of patterns. */
  readonly budget: { nodes: number; steps: number }
}
