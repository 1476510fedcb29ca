import type { KubeObject } from '../object.ts'
import type { PersistentVolumeClaim, PodTemplateSpec } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface ControllerRevision extends KubeObject {
  readonly data: unknown
  readonly revision: number
}

export interface DaemonSet extends KubeObject {
  readonly spec: DaemonSetSpec
  readonly status: DaemonSetStatus
}

export interface DaemonSetCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface DaemonSetSpec {
  readonly selector: LabelSelector
  readonly template: PodTemplateSpec
  readonly updateStrategy: DaemonSetUpdateStrategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number
  readonly numberMisscheduled: number
  readonly desiredNumberScheduled: number
  readonly numberReady: number
  readonly observedGeneration?: number
  readonly updatedNumberScheduled?: number
  readonly numberAvailable?: number
  readonly numberUnavailable?: number
  readonly collisionCount?: number
  readonly conditions?: readonly DaemonSetCondition[]
}

export interface DaemonSetUpdateStrategy {
  readonly type?: string
  readonly rollingUpdate?: RollingUpdateDaemonSet
}

export interface Deployment extends KubeObject {
  readonly spec: DeploymentSpec
  readonly status: DeploymentStatus
}

export interface DeploymentCondition {
  readonly type: string
  readonly status: string
  readonly lastUpdateTime: string | null
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface DeploymentSpec {
  readonly replicas?: number
  readonly selector: LabelSelector
  readonly template: PodTemplateSpec
  readonly strategy: DeploymentStrategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
  readonly paused?: boolean
  readonly progressDeadlineSeconds?: number
}

export interface DeploymentStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly conditions?: readonly DeploymentCondition[]
  readonly collisionCount?: number
}

export interface DeploymentStrategy {
  readonly type?: string
  readonly rollingUpdate?: RollingUpdateDeployment
}

export interface ReplicaSet extends KubeObject {
  readonly spec: ReplicaSetSpec
  readonly status: ReplicaSetStatus
}

export interface ReplicaSetCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface ReplicaSetSpec {
  readonly replicas?: number
  readonly minReadySeconds?: number
  readonly selector: LabelSelector
  readonly template: PodTemplateSpec
}

export interface ReplicaSetStatus {
  readonly replicas: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly observedGeneration?: number
  readonly conditions?: readonly ReplicaSetCondition[]
}

export interface RollingUpdateDaemonSet {
  readonly maxUnavailable?: string | number
  readonly maxSurge?: string | number
}

export interface RollingUpdateDeployment {
  readonly maxUnavailable?: string | number
  readonly maxSurge?: string | number
}

export interface RollingUpdateStatefulSetStrategy {
  readonly partition?: number
  readonly maxUnavailable?: string | number
}

export interface StatefulSet extends KubeObject {
  readonly spec: StatefulSetSpec
  readonly status: StatefulSetStatus
}

export interface StatefulSetCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface StatefulSetOrdinals {
  readonly start: number
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string
  readonly whenScaled?: string
}

export interface StatefulSetSpec {
  readonly replicas?: number
  readonly selector: LabelSelector
  readonly template: PodTemplateSpec
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[]
  readonly serviceName: string
  readonly podManagementPolicy?: string
  readonly updateStrategy: StatefulSetUpdateStrategy
  readonly revisionHistoryLimit?: number
  readonly minReadySeconds?: number
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy
  readonly ordinals?: StatefulSetOrdinals
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number
  readonly replicas: number
  readonly readyReplicas?: number
  readonly currentReplicas?: number
  readonly updatedReplicas?: number
  readonly currentRevision?: string
  readonly updateRevision?: string
  readonly collisionCount?: number
  readonly conditions?: readonly StatefulSetCondition[]
  readonly availableReplicas: number
}

export interface StatefulSetUpdateStrategy {
  readonly type?: string
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy
}
