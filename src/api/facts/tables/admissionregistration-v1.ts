/** k8s.io.api.admissionregistration.v1 */
export const admissionregistrationV1 = `
AuditAnnotation
  1 key: string! (required)
  2 valueExpression: string! (required)

ExpressionWarning
  2 fieldRef: string! (required)
  3 warning: string! (required)

MatchCondition
  1 name: string! (required)
  2 expression: string! (required)

MatchResources atomic
  1 namespaceSelector: meta.LabelSelector
  2 objectSelector: meta.LabelSelector
  3 resourceRules: NamedRuleWithOperations[]
  4 excludeResourceRules: NamedRuleWithOperations[]
  7 matchPolicy: string? (one of Equivalent Exact, go v1.MatchPolicyType)

MutatingWebhook
  1 name: string! (required)
  2 clientConfig: WebhookClientConfig! (required)
  3 rules: RuleWithOperations[]
  4 failurePolicy: string? (one of Fail Ignore, go v1.FailurePolicyType)
  9 matchPolicy: string? (one of Equivalent Exact, go v1.MatchPolicyType)
  5 namespaceSelector: meta.LabelSelector
  11 objectSelector: meta.LabelSelector
  6 sideEffects: string? (required, one of None NoneOnDryRun Some Unknown, go v1.SideEffectClass)
  7 timeoutSeconds: int32?
  8 admissionReviewVersions: string[]! (required)
  10 reinvocationPolicy: string? (one of IfNeeded Never, go v1.ReinvocationPolicyType)
  12 matchConditions: MatchCondition[] (merged by name)

MutatingWebhookConfiguration
  1 metadata: meta.ObjectMeta
  2 Webhooks: MutatingWebhook[] (json webhooks, merged by name)

MutatingWebhookConfigurationList
  1 metadata: meta.ListMeta
  2 items: MutatingWebhookConfiguration[]!

NamedRuleWithOperations atomic
  1 resourceNames: string[]
  2 ruleWithOperations: RuleWithOperations (inline)

ParamKind atomic
  1 apiVersion: string
  2 kind: string

ParamRef atomic
  1 name: string
  2 namespace: string
  3 selector: meta.LabelSelector
  4 parameterNotFoundAction: string? (go v1.ParameterNotFoundActionType)

Rule
  1 apiGroups: string[]
  2 apiVersions: string[]
  3 resources: string[]
  4 scope: string? (go v1.ScopeType)

RuleWithOperations
  1 operations: string[] (one of * CONNECT CREATE DELETE UPDATE, go []v1.OperationType)
  2 rule: Rule (inline)

ServiceReference
  1 namespace: string! (required)
  2 name: string! (required)
  3 path: string?
  4 port: int32?

TypeChecking
  1 expressionWarnings: ExpressionWarning[]

ValidatingAdmissionPolicy
  1 metadata: meta.ObjectMeta
  2 spec: ValidatingAdmissionPolicySpec!
  3 status: ValidatingAdmissionPolicyStatus!

ValidatingAdmissionPolicyBinding
  1 metadata: meta.ObjectMeta
  2 spec: ValidatingAdmissionPolicyBindingSpec!

ValidatingAdmissionPolicyBindingList
  1 metadata: meta.ListMeta
  2 items: ValidatingAdmissionPolicyBinding[]!

ValidatingAdmissionPolicyBindingSpec
  1 policyName: string
  2 paramRef: ParamRef
  3 matchResources: MatchResources
  4 validationActions: string[] (set, one of Audit Deny Warn, go []v1.ValidationAction)

ValidatingAdmissionPolicyList
  1 metadata: meta.ListMeta
  2 items: ValidatingAdmissionPolicy[]!

ValidatingAdmissionPolicySpec
  1 paramKind: ParamKind
  2 matchConstraints: MatchResources
  3 validations: Validation[]
  4 failurePolicy: string? (one of Fail Ignore, go v1.FailurePolicyType)
  5 auditAnnotations: AuditAnnotation[]
  6 matchConditions: MatchCondition[] (merged by name)
  7 variables: Variable[] (merged by name)

ValidatingAdmissionPolicyStatus
  1 observedGeneration: int64
  2 typeChecking: TypeChecking
  3 conditions: meta.Condition[] (keyed by type)

ValidatingWebhook
  1 name: string! (required)
  2 clientConfig: WebhookClientConfig! (required)
  3 rules: RuleWithOperations[]
  4 failurePolicy: string? (one of Fail Ignore, go v1.FailurePolicyType)
  9 matchPolicy: string? (one of Equivalent Exact, go v1.MatchPolicyType)
  5 namespaceSelector: meta.LabelSelector
  10 objectSelector: meta.LabelSelector
  6 sideEffects: string? (required, one of None NoneOnDryRun Some Unknown, go v1.SideEffectClass)
  7 timeoutSeconds: int32?
  8 admissionReviewVersions: string[]! (required)
  11 matchConditions: MatchCondition[] (merged by name)

ValidatingWebhookConfiguration
  1 metadata: meta.ObjectMeta
  2 Webhooks: ValidatingWebhook[] (json webhooks, merged by name)

ValidatingWebhookConfigurationList
  1 metadata: meta.ListMeta
  2 items: ValidatingWebhookConfiguration[]!

Validation
  1 Expression: string! (required, json expression)
  2 message: string
  3 reason: string? (go v1.StatusReason)
  4 messageExpression: string

Variable atomic
  1 Name: string! (required, json name)
  2 Expression: string! (required, json expression)

WebhookClientConfig
  3 url: string?
  1 service: ServiceReference
  2 caBundle: bytes
`
