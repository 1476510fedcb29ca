/** k8s.io.api.autoscaling.v1 */
export const autoscalingV1 = `
CrossVersionObjectReference atomic
  1 kind: string! (required)
  2 name: string! (required)
  3 apiVersion: string

HorizontalPodAutoscaler
  1 metadata: meta.ObjectMeta
  2 spec: HorizontalPodAutoscalerSpec!
  3 status: HorizontalPodAutoscalerStatus!

HorizontalPodAutoscalerList
  1 metadata: meta.ListMeta
  2 items: HorizontalPodAutoscaler[]!

HorizontalPodAutoscalerSpec
  1 scaleTargetRef: CrossVersionObjectReference! (required)
  2 minReplicas: int32?
  3 maxReplicas: int32! (required)
  4 targetCPUUtilizationPercentage: int32?

HorizontalPodAutoscalerStatus
  1 observedGeneration: int64?
  2 lastScaleTime: meta.Time
  3 currentReplicas: int32! (required)
  4 desiredReplicas: int32! (required)
  5 currentCPUUtilizationPercentage: int32?

Scale
  1 metadata: meta.ObjectMeta
  2 spec: ScaleSpec!
  3 status: ScaleStatus!

ScaleSpec
  1 replicas: int32

ScaleStatus
  1 replicas: int32! (required)
  2 selector: string
`
