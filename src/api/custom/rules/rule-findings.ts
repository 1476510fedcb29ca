import type { FieldError } from '../../field-error.ts'

/** The result of a schema's rules for an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[]
  /** Errors about existing, unchanged values. */
  readonly warnings: readonly string[]
}
