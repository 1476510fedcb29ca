import type { AnnotateAudit } from '../contract.ts'
import type { ConfiguredBinding } from './configured-policy.ts'
import type { PolicyAnnotation, PolicyFinding } from './evaluate-policy.ts'

/** About one request. */
const mostValues = 200

/**
 * What policies put on record about one request. Bindings of a policy may find several values for a key: they are joined, each
 * of them once.
 */
export class PolicyAnnotations {
  readonly #values = new Map<string, Set<string>>()
  #count = 0

  add(policy: string, annotations: readonly PolicyAnnotation[]): void {
    for (const { key, value } of annotations) {
      if (this.#count >= mostValues) return
      this.#count += 1
      const whole = `${policy}/${key}`
      const values = this.#values.get(whole) ?? new Set<string>()
      this.#values.set(whole, values.add(value))
    }
  }

  publish(annotate: AnnotateAudit): void {
    for (const [key, values] of this.#values) annotate(key, [...values].join(', '))
  }
}

/** What does not hold, where a binding says that it goes on record. Of one request the first is there. */
export function annotateFailure(
  { message, expressionIndex }: Pick<PolicyFinding, 'message' | 'expressionIndex'>,
  { name: binding, policyName: policy, actions }: ConfiguredBinding,
  annotate: AnnotateAudit,
): void {
  const failure = { message, policy, binding, expressionIndex, validationActions: actions }
  annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify([failure]))
}
