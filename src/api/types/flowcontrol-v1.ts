import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface ExemptPriorityLevelConfiguration {
  readonly nominalConcurrencyShares?: number
  readonly lendablePercent?: number
}

export interface FlowDistinguisherMethod {
  readonly type: string
}

export interface FlowSchema extends KubeObject {
  readonly spec: FlowSchemaSpec
  readonly status: FlowSchemaStatus
}

export interface FlowSchemaCondition {
  readonly type?: string
  readonly status?: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference
  readonly matchingPrecedence: number
  readonly distinguisherMethod?: FlowDistinguisherMethod
  readonly rules?: readonly PolicyRulesWithSubjects[]
}

export interface FlowSchemaStatus {
  readonly conditions?: readonly FlowSchemaCondition[]
}

export interface GroupSubject {
  readonly name: string
}

export interface LimitResponse {
  readonly type: string
  readonly queuing?: QueuingConfiguration
}

export interface LimitedPriorityLevelConfiguration {
  readonly nominalConcurrencyShares?: number
  readonly limitResponse: LimitResponse
  readonly lendablePercent?: number
  readonly borrowingLimitPercent?: number
}

export interface NonResourcePolicyRule {
  readonly verbs: readonly string[] | null
  readonly nonResourceURLs: readonly string[] | null
}

export interface PolicyRulesWithSubjects {
  readonly subjects: readonly Subject[] | null
  readonly resourceRules?: readonly ResourcePolicyRule[]
  readonly nonResourceRules?: readonly NonResourcePolicyRule[]
}

export interface PriorityLevelConfiguration extends KubeObject {
  readonly spec: PriorityLevelConfigurationSpec
  readonly status: PriorityLevelConfigurationStatus
}

export interface PriorityLevelConfigurationCondition {
  readonly type?: string
  readonly status?: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface PriorityLevelConfigurationReference {
  readonly name: string
}

export interface PriorityLevelConfigurationSpec {
  readonly type: string
  readonly limited?: LimitedPriorityLevelConfiguration
  readonly exempt?: ExemptPriorityLevelConfiguration
}

export interface PriorityLevelConfigurationStatus {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[]
}

export interface QueuingConfiguration {
  readonly queues: number
  readonly handSize: number
  readonly queueLengthLimit: number
}

export interface ResourcePolicyRule {
  readonly verbs: readonly string[] | null
  readonly apiGroups: readonly string[] | null
  readonly resources: readonly string[] | null
  readonly clusterScope?: boolean
  readonly namespaces: readonly string[] | null
}

export interface ServiceAccountSubject {
  readonly namespace: string
  readonly name: string
}

export interface Subject {
  readonly kind: string
  readonly user?: UserSubject
  readonly group?: GroupSubject
  readonly serviceAccount?: ServiceAccountSubject
}

export interface UserSubject {
  readonly name: string
}
