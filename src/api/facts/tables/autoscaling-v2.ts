/** k8s.io.api.autoscaling.v2 */
export const autoscalingV2 = `
ContainerResourceMetricSource
  1 name: string! (required, go v1.ResourceName)
  2 target: MetricTarget! (required)
  3 container: string! (required)

ContainerResourceMetricStatus
  1 name: string! (required, go v1.ResourceName)
  2 current: MetricValueStatus! (required)
  3 container: string! (required)

CrossVersionObjectReference
  1 kind: string! (required)
  2 name: string! (required)
  3 apiVersion: string

ExternalMetricSource
  1 metric: MetricIdentifier! (required)
  2 target: MetricTarget! (required)

ExternalMetricStatus
  1 metric: MetricIdentifier! (required)
  2 current: MetricValueStatus! (required)

HPAScalingPolicy
  1 type: string! (required, go v2.HPAScalingPolicyType)
  2 value: int32! (required)
  3 periodSeconds: int32! (required)

HPAScalingRules
  3 stabilizationWindowSeconds: int32?
  1 selectPolicy: string? (go v2.ScalingPolicySelect)
  2 policies: HPAScalingPolicy[]

HorizontalPodAutoscaler
  1 metadata: meta.ObjectMeta
  2 spec: HorizontalPodAutoscalerSpec!
  3 status: HorizontalPodAutoscalerStatus!

HorizontalPodAutoscalerBehavior
  1 scaleUp: HPAScalingRules
  2 scaleDown: HPAScalingRules

HorizontalPodAutoscalerCondition
  1 type: string! (required, go v2.HorizontalPodAutoscalerConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

HorizontalPodAutoscalerList
  1 metadata: meta.ListMeta
  2 items: HorizontalPodAutoscaler[]!

HorizontalPodAutoscalerSpec
  1 scaleTargetRef: CrossVersionObjectReference! (required)
  2 minReplicas: int32?
  3 maxReplicas: int32! (required)
  4 metrics: MetricSpec[]
  5 behavior: HorizontalPodAutoscalerBehavior

HorizontalPodAutoscalerStatus
  1 observedGeneration: int64?
  2 lastScaleTime: meta.Time
  3 currentReplicas: int32
  4 desiredReplicas: int32! (required)
  5 currentMetrics: MetricStatus[]!
  6 conditions: HorizontalPodAutoscalerCondition[] (merged by type)

MetricIdentifier
  1 name: string! (required)
  2 selector: meta.LabelSelector

MetricSpec
  1 type: string! (required, go v2.MetricSourceType)
  2 object: ObjectMetricSource
  3 pods: PodsMetricSource
  4 resource: ResourceMetricSource
  7 containerResource: ContainerResourceMetricSource
  5 external: ExternalMetricSource

MetricStatus
  1 type: string! (required, go v2.MetricSourceType)
  2 object: ObjectMetricStatus
  3 pods: PodsMetricStatus
  4 resource: ResourceMetricStatus
  7 containerResource: ContainerResourceMetricStatus
  5 external: ExternalMetricStatus

MetricTarget
  1 type: string! (required, go v2.MetricTargetType)
  2 value: resource.Quantity
  3 averageValue: resource.Quantity
  4 averageUtilization: int32?

MetricValueStatus
  1 value: resource.Quantity
  2 averageValue: resource.Quantity
  3 averageUtilization: int32?

ObjectMetricSource
  1 describedObject: CrossVersionObjectReference! (required)
  2 target: MetricTarget! (required)
  3 metric: MetricIdentifier! (required)

ObjectMetricStatus
  1 metric: MetricIdentifier! (required)
  2 current: MetricValueStatus! (required)
  3 describedObject: CrossVersionObjectReference! (required)

PodsMetricSource
  1 metric: MetricIdentifier! (required)
  2 target: MetricTarget! (required)

PodsMetricStatus
  1 metric: MetricIdentifier! (required)
  2 current: MetricValueStatus! (required)

ResourceMetricSource
  1 name: string! (required, go v1.ResourceName)
  2 target: MetricTarget! (required)

ResourceMetricStatus
  1 name: string! (required, go v1.ResourceName)
  2 current: MetricValueStatus! (required)
`
