/** k8s.io.api.apps.v1 */
export const appsV1 = `
ControllerRevision
  1 metadata: meta.ObjectMeta
  2 data: runtime.RawExtension!
  3 revision: int64! (required)

ControllerRevisionList
  1 metadata: meta.ListMeta
  2 items: ControllerRevision[]!

DaemonSet
  1 metadata: meta.ObjectMeta
  2 spec: DaemonSetSpec!
  3 status: DaemonSetStatus!

DaemonSetCondition
  1 type: string! (required, go v1.DaemonSetConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

DaemonSetList
  1 metadata: meta.ListMeta
  2 items: DaemonSet[]!

DaemonSetSpec
  1 selector: meta.LabelSelector (required)
  2 template: core.PodTemplateSpec! (required)
  3 updateStrategy: DaemonSetUpdateStrategy!
  4 minReadySeconds: int32
  6 revisionHistoryLimit: int32?

DaemonSetStatus
  1 currentNumberScheduled: int32! (required)
  2 numberMisscheduled: int32! (required)
  3 desiredNumberScheduled: int32! (required)
  4 numberReady: int32! (required)
  5 observedGeneration: int64
  6 updatedNumberScheduled: int32
  7 numberAvailable: int32
  8 numberUnavailable: int32
  9 collisionCount: int32?
  10 conditions: DaemonSetCondition[] (merged by type)

DaemonSetUpdateStrategy
  1 type: string (one of OnDelete RollingUpdate, go v1.DaemonSetUpdateStrategyType)
  2 rollingUpdate: RollingUpdateDaemonSet

Deployment
  1 metadata: meta.ObjectMeta
  2 spec: DeploymentSpec!
  3 status: DeploymentStatus!

DeploymentCondition
  1 type: string! (required, go v1.DeploymentConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  6 lastUpdateTime: meta.Time!
  7 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

DeploymentList
  1 metadata: meta.ListMeta
  2 items: Deployment[]!

DeploymentSpec
  1 replicas: int32?
  2 selector: meta.LabelSelector (required)
  3 template: core.PodTemplateSpec! (required)
  4 strategy: DeploymentStrategy! (retain keys)
  5 minReadySeconds: int32
  6 revisionHistoryLimit: int32?
  7 paused: bool
  9 progressDeadlineSeconds: int32?

DeploymentStatus
  1 observedGeneration: int64
  2 replicas: int32
  3 updatedReplicas: int32
  7 readyReplicas: int32
  4 availableReplicas: int32
  5 unavailableReplicas: int32
  6 conditions: DeploymentCondition[] (merged by type)
  8 collisionCount: int32?

DeploymentStrategy
  1 type: string (one of Recreate RollingUpdate, go v1.DeploymentStrategyType)
  2 rollingUpdate: RollingUpdateDeployment

ReplicaSet
  1 metadata: meta.ObjectMeta
  2 spec: ReplicaSetSpec!
  3 status: ReplicaSetStatus!

ReplicaSetCondition
  1 type: string! (required, go v1.ReplicaSetConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

ReplicaSetList
  1 metadata: meta.ListMeta
  2 items: ReplicaSet[]!

ReplicaSetSpec
  1 replicas: int32?
  4 minReadySeconds: int32
  2 selector: meta.LabelSelector (required)
  3 template: core.PodTemplateSpec!

ReplicaSetStatus
  1 replicas: int32! (required)
  2 fullyLabeledReplicas: int32
  4 readyReplicas: int32
  5 availableReplicas: int32
  3 observedGeneration: int64
  6 conditions: ReplicaSetCondition[] (merged by type)

RollingUpdateDaemonSet
  1 maxUnavailable: intstr.IntOrString
  2 maxSurge: intstr.IntOrString

RollingUpdateDeployment
  1 maxUnavailable: intstr.IntOrString
  2 maxSurge: intstr.IntOrString

RollingUpdateStatefulSetStrategy
  1 partition: int32?
  2 maxUnavailable: intstr.IntOrString

StatefulSet
  1 metadata: meta.ObjectMeta
  2 spec: StatefulSetSpec!
  3 status: StatefulSetStatus!

StatefulSetCondition
  1 type: string! (required, go v1.StatefulSetConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

StatefulSetList
  1 metadata: meta.ListMeta
  2 items: StatefulSet[]!

StatefulSetOrdinals
  1 start: int32!

StatefulSetPersistentVolumeClaimRetentionPolicy
  1 whenDeleted: string (go v1.PersistentVolumeClaimRetentionPolicyType)
  2 whenScaled: string (go v1.PersistentVolumeClaimRetentionPolicyType)

StatefulSetSpec
  1 replicas: int32?
  2 selector: meta.LabelSelector (required)
  3 template: core.PodTemplateSpec! (required)
  4 volumeClaimTemplates: core.PersistentVolumeClaim[] (whole)
  5 serviceName: string! (required)
  6 podManagementPolicy: string (one of OrderedReady Parallel, go v1.PodManagementPolicyType)
  7 updateStrategy: StatefulSetUpdateStrategy!
  8 revisionHistoryLimit: int32?
  9 minReadySeconds: int32
  10 persistentVolumeClaimRetentionPolicy: StatefulSetPersistentVolumeClaimRetentionPolicy
  11 ordinals: StatefulSetOrdinals

StatefulSetStatus
  1 observedGeneration: int64
  2 replicas: int32! (required)
  3 readyReplicas: int32
  4 currentReplicas: int32
  5 updatedReplicas: int32
  6 currentRevision: string
  7 updateRevision: string
  9 collisionCount: int32?
  10 conditions: StatefulSetCondition[] (merged by type)
  11 availableReplicas: int32!

StatefulSetUpdateStrategy
  1 type: string (one of OnDelete RollingUpdate, go v1.StatefulSetUpdateStrategyType)
  2 rollingUpdate: RollingUpdateStatefulSetStrategy
`
