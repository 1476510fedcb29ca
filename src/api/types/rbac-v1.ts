import type { KubeObject } from '../object.ts'
import type { LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly LabelSelector[]
}

export interface ClusterRole extends KubeObject {
  readonly rules: readonly PolicyRule[] | null
  readonly aggregationRule?: AggregationRule
}

export interface ClusterRoleBinding extends KubeObject {
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleRef
}

export interface PolicyRule {
  readonly verbs: readonly string[] | null
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export interface Role extends KubeObject {
  readonly rules: readonly PolicyRule[] | null
}

export interface RoleBinding extends KubeObject {
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleRef
}

export interface RoleRef {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}
