/** k8s.io.api.authorization.v1 */
export const authorizationV1 = `
ExtraValue as bare-list
  1 items: string[]

FieldSelectorAttributes
  1 rawSelector: string
  2 requirements: meta.FieldSelectorRequirement[]

LabelSelectorAttributes
  1 rawSelector: string
  2 requirements: meta.LabelSelectorRequirement[]

LocalSubjectAccessReview
  1 metadata: meta.ObjectMeta
  2 spec: SubjectAccessReviewSpec! (required)
  3 status: SubjectAccessReviewStatus!

NonResourceAttributes
  1 path: string
  2 verb: string

NonResourceRule
  1 verbs: string[]! (required)
  2 nonResourceURLs: string[]

ResourceAttributes
  1 namespace: string
  2 verb: string
  3 group: string
  4 version: string
  5 resource: string
  6 subresource: string
  7 name: string
  8 fieldSelector: FieldSelectorAttributes
  9 labelSelector: LabelSelectorAttributes

ResourceRule
  1 verbs: string[]! (required)
  2 apiGroups: string[]
  3 resources: string[]
  4 resourceNames: string[]

SelfSubjectAccessReview
  1 metadata: meta.ObjectMeta
  2 spec: SelfSubjectAccessReviewSpec! (required)
  3 status: SubjectAccessReviewStatus!

SelfSubjectAccessReviewSpec
  1 resourceAttributes: ResourceAttributes
  2 nonResourceAttributes: NonResourceAttributes

SelfSubjectRulesReview
  1 metadata: meta.ObjectMeta
  2 spec: SelfSubjectRulesReviewSpec! (required)
  3 status: SubjectRulesReviewStatus!

SelfSubjectRulesReviewSpec
  1 namespace: string

SubjectAccessReview
  1 metadata: meta.ObjectMeta
  2 spec: SubjectAccessReviewSpec! (required)
  3 status: SubjectAccessReviewStatus!

SubjectAccessReviewSpec
  1 resourceAttributes: ResourceAttributes
  2 nonResourceAttributes: NonResourceAttributes
  3 user: string
  4 groups: string[]
  5 extra: map ExtraValue (go map[string]v1.ExtraValue)
  6 uid: string

SubjectAccessReviewStatus
  1 allowed: bool! (required)
  4 denied: bool
  2 reason: string
  3 evaluationError: string

SubjectRulesReviewStatus
  1 resourceRules: ResourceRule[]! (required)
  2 nonResourceRules: NonResourceRule[]! (required)
  3 incomplete: bool! (required)
  4 evaluationError: string
`
