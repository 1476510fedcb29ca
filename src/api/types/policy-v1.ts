import type { KubeObject } from '../object.ts'
import type { Condition, DeleteOptions, LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface Eviction extends KubeObject {
  readonly deleteOptions?: DeleteOptions
}

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: PodDisruptionBudgetSpec
  readonly status: PodDisruptionBudgetStatus
}

export interface PodDisruptionBudgetSpec {
  readonly minAvailable?: string | number
  readonly selector?: LabelSelector
  readonly maxUnavailable?: string | number
  readonly unhealthyPodEvictionPolicy?: string
}

export interface PodDisruptionBudgetStatus {
  readonly observedGeneration?: number
  readonly disruptedPods?: Readonly<Record<string, string>>
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly expectedPods: number
  readonly conditions?: readonly Condition[]
}
