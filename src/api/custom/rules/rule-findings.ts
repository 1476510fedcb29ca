import type { FieldError } from '../../field-error.ts'

/** What the rules of a schema say of an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[]
  /** Errors of what was there before and has not changed. */
  readonly warnings: readonly string[]
}
