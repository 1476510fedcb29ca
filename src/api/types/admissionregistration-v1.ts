import type { KubeObject } from '../object.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface AuditAnnotation {
  readonly key: string
  readonly valueExpression: string
}

export interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

export interface MatchResources {
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly resourceRules?: readonly NamedRuleWithOperations[]
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[]
  readonly matchPolicy?: string
}

export interface MutatingWebhook {
  readonly name: string
  readonly clientConfig: WebhookClientConfig
  readonly rules?: readonly RuleWithOperations[]
  readonly failurePolicy?: string
  readonly matchPolicy?: string
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly sideEffects?: string
  readonly timeoutSeconds?: number
  readonly admissionReviewVersions: readonly string[] | null
  readonly reinvocationPolicy?: string
  readonly matchConditions?: readonly MatchCondition[]
}

export interface MutatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly MutatingWebhook[]
}

export interface NamedRuleWithOperations {
  readonly resourceNames?: readonly string[]
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly scope?: string
}

export interface ParamKind {
  readonly apiVersion?: string
  readonly kind?: string
}

export interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: LabelSelector
  readonly parameterNotFoundAction?: string
}

export interface Rule {
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly scope?: string
}

export interface RuleWithOperations {
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly scope?: string
}

export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly path?: string
  readonly port?: number
}

export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[]
}

export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly spec: ValidatingAdmissionPolicySpec
  readonly status: ValidatingAdmissionPolicyStatus
}

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: ValidatingAdmissionPolicyBindingSpec
}

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly policyName?: string
  readonly paramRef?: ParamRef
  readonly matchResources?: MatchResources
  readonly validationActions?: readonly string[]
}

export interface ValidatingAdmissionPolicySpec {
  readonly paramKind?: ParamKind
  readonly matchConstraints?: MatchResources
  readonly validations?: readonly Validation[]
  readonly failurePolicy?: string
  readonly auditAnnotations?: readonly AuditAnnotation[]
  readonly matchConditions?: readonly MatchCondition[]
  readonly variables?: readonly Variable[]
}

export interface ValidatingAdmissionPolicyStatus {
  readonly observedGeneration?: number
  readonly typeChecking?: TypeChecking
  readonly conditions?: readonly Condition[]
}

export interface ValidatingWebhook {
  readonly name: string
  readonly clientConfig: WebhookClientConfig
  readonly rules?: readonly RuleWithOperations[]
  readonly failurePolicy?: string
  readonly matchPolicy?: string
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly sideEffects?: string
  readonly timeoutSeconds?: number
  readonly admissionReviewVersions: readonly string[] | null
  readonly matchConditions?: readonly MatchCondition[]
}

export interface ValidatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly ValidatingWebhook[]
}

export interface Validation {
  readonly expression: string
  readonly message?: string
  readonly reason?: string
  readonly messageExpression?: string
}

export interface Variable {
  readonly name: string
  readonly expression: string
}

export interface WebhookClientConfig {
  readonly url?: string
  readonly service?: ServiceReference
  readonly caBundle?: string
}
