import type { AnnotateAudit } from '../contract.ts'
import type { ConfiguredBinding } from './configured-policy.ts'
import type { PolicyAnnotation, PolicyFinding } from './evaluate-policy.ts'

/** For one request. */
const mostValues = 200

/**
 * Audit annotations by policies for one request. Bindings of a policy may yield several values for a key: the distinct
 * values are joined.
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

/** Records a failed validation if the binding audits it. Only the first one of a request is kept. */
export function annotateFailure(
  { message, expressionIndex }: Pick<PolicyFinding, 'message' | 'expressionIndex'>,
  { name: binding, policyName: policy, actions }: ConfiguredBinding,
  annotate: AnnotateAudit,
): void {
  const failure = { message, policy, binding, expressionIndex, validationActions: actions }
  annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify([failure]))
}
