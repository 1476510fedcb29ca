import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface CrossVersionObjectReference {
  readonly kind: string
  readonly name: string
  readonly apiVersion?: string
}

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: HorizontalPodAutoscalerSpec
  readonly status: HorizontalPodAutoscalerStatus
}

export interface HorizontalPodAutoscalerSpec {
  readonly scaleTargetRef: CrossVersionObjectReference
  readonly minReplicas?: number
  readonly maxReplicas: number
  readonly targetCPUUtilizationPercentage?: number
}

export interface HorizontalPodAutoscalerStatus {
  readonly observedGeneration?: number
  readonly lastScaleTime?: string
  readonly currentReplicas: number
  readonly desiredReplicas: number
  readonly currentCPUUtilizationPercentage?: number
}

export interface Scale extends KubeObject {
  readonly spec: ScaleSpec
  readonly status: ScaleStatus
}

export interface ScaleSpec {
  readonly replicas?: number
}

export interface ScaleStatus {
  readonly replicas: number
  readonly selector?: string
}
