/** One of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string
  readonly message: string
  readonly messageExpression: string
  readonly reason: string
  readonly fieldPath: string
  /** `oldSelf` is there for new values too, as nothing; absent if it is not said. */
  readonly optionalOldSelf?: boolean
}
