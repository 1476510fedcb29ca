import type { KubeObject } from '../object.ts'
import type { FieldSelectorRequirement, LabelSelectorRequirement } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface FieldSelectorAttributes {
  readonly rawSelector?: string
  readonly requirements?: readonly FieldSelectorRequirement[]
}

export interface LabelSelectorAttributes {
  readonly rawSelector?: string
  readonly requirements?: readonly LabelSelectorRequirement[]
}

export interface LocalSubjectAccessReview extends KubeObject {
  readonly spec: SubjectAccessReviewSpec
  readonly status: SubjectAccessReviewStatus
}

export interface NonResourceAttributes {
  readonly path?: string
  readonly verb?: string
}

export interface NonResourceRule {
  readonly verbs: readonly string[] | null
  readonly nonResourceURLs?: readonly string[]
}

export interface ResourceAttributes {
  readonly namespace?: string
  readonly verb?: string
  readonly group?: string
  readonly version?: string
  readonly resource?: string
  readonly subresource?: string
  readonly name?: string
  readonly fieldSelector?: FieldSelectorAttributes
  readonly labelSelector?: LabelSelectorAttributes
}

export interface ResourceRule {
  readonly verbs: readonly string[] | null
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface SelfSubjectAccessReview extends KubeObject {
  readonly spec: SelfSubjectAccessReviewSpec
  readonly status: SubjectAccessReviewStatus
}

export interface SelfSubjectAccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes
  readonly nonResourceAttributes?: NonResourceAttributes
}

export interface SelfSubjectRulesReview extends KubeObject {
  readonly spec: SelfSubjectRulesReviewSpec
  readonly status: SubjectRulesReviewStatus
}

export interface SelfSubjectRulesReviewSpec {
  readonly namespace?: string
}

export interface SubjectAccessReview extends KubeObject {
  readonly spec: SubjectAccessReviewSpec
  readonly status: SubjectAccessReviewStatus
}

export interface SubjectAccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes
  readonly nonResourceAttributes?: NonResourceAttributes
  readonly user?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  readonly uid?: string
}

export interface SubjectAccessReviewStatus {
  readonly allowed: boolean
  readonly denied?: boolean
  readonly reason?: string
  readonly evaluationError?: string
}

export interface SubjectRulesReviewStatus {
  readonly resourceRules: readonly ResourceRule[] | null
  readonly nonResourceRules: readonly NonResourceRule[] | null
  readonly incomplete: boolean
  readonly evaluationError?: string
}
