/** One of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string
  readonly message: string
  readonly messageExpression: string
  readonly reason: string
  readonly fieldPath: string
  /** Whether `oldSelf` exists for new values too, as an empty optional; absent if not specified. */
  readonly optionalOldSelf?: boolean
}
