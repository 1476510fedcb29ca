/** k8s.io.api.flowcontrol.v1 */
export const flowcontrolV1 = `
ExemptPriorityLevelConfiguration
  1 nominalConcurrencyShares: int32?
  2 lendablePercent: int32?

FlowDistinguisherMethod
  1 type: string! (required, go v1.FlowDistinguisherMethodType)

FlowSchema
  1 metadata: meta.ObjectMeta
  2 spec: FlowSchemaSpec!
  3 status: FlowSchemaStatus!

FlowSchemaCondition
  1 type: string (go v1.FlowSchemaConditionType)
  2 status: string (go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

FlowSchemaList
  1 metadata: meta.ListMeta
  2 items: FlowSchema[]!

FlowSchemaSpec
  1 priorityLevelConfiguration: PriorityLevelConfigurationReference! (required)
  2 matchingPrecedence: int32!
  3 distinguisherMethod: FlowDistinguisherMethod
  4 rules: PolicyRulesWithSubjects[]

FlowSchemaStatus
  1 conditions: FlowSchemaCondition[] (merged by type)

GroupSubject
  1 name: string! (required)

LimitResponse
  1 type: string! (required, go v1.LimitResponseType)
  2 queuing: QueuingConfiguration

LimitedPriorityLevelConfiguration
  1 nominalConcurrencyShares: int32?
  2 limitResponse: LimitResponse!
  3 lendablePercent: int32?
  4 borrowingLimitPercent: int32?

NonResourcePolicyRule
  1 verbs: string[]! (required, set)
  6 nonResourceURLs: string[]! (required, set)

PolicyRulesWithSubjects
  1 subjects: Subject[]! (required)
  2 resourceRules: ResourcePolicyRule[]
  3 nonResourceRules: NonResourcePolicyRule[]

PriorityLevelConfiguration
  1 metadata: meta.ObjectMeta
  2 spec: PriorityLevelConfigurationSpec!
  3 status: PriorityLevelConfigurationStatus!

PriorityLevelConfigurationCondition
  1 type: string (go v1.PriorityLevelConfigurationConditionType)
  2 status: string (go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

PriorityLevelConfigurationList
  1 metadata: meta.ListMeta
  2 items: PriorityLevelConfiguration[]!

PriorityLevelConfigurationReference
  1 name: string! (required)

PriorityLevelConfigurationSpec
  1 type: string! (required, go v1.PriorityLevelEnablement)
  2 limited: LimitedPriorityLevelConfiguration
  3 exempt: ExemptPriorityLevelConfiguration

PriorityLevelConfigurationStatus
  1 conditions: PriorityLevelConfigurationCondition[] (merged by type)

QueuingConfiguration
  1 queues: int32!
  2 handSize: int32!
  3 queueLengthLimit: int32!

ResourcePolicyRule
  1 verbs: string[]! (required, set)
  2 apiGroups: string[]! (required, set)
  3 resources: string[]! (required, set)
  4 clusterScope: bool
  5 namespaces: string[]! (set)

ServiceAccountSubject
  1 namespace: string! (required)
  2 name: string! (required)

Subject
  1 kind: string! (required, go v1.SubjectKind)
  2 user: UserSubject
  3 group: GroupSubject
  4 serviceAccount: ServiceAccountSubject

UserSubject
  1 name: string! (required)
`
