/** k8s.io.api.policy.v1 */
export const policyV1 = `
Eviction
  1 metadata: meta.ObjectMeta
  2 deleteOptions: meta.DeleteOptions

PodDisruptionBudget
  1 metadata: meta.ObjectMeta
  2 spec: PodDisruptionBudgetSpec!
  3 status: PodDisruptionBudgetStatus!

PodDisruptionBudgetList
  1 metadata: meta.ListMeta
  2 items: PodDisruptionBudget[]!

PodDisruptionBudgetSpec
  1 minAvailable: intstr.IntOrString
  2 selector: meta.LabelSelector (replaced)
  3 maxUnavailable: intstr.IntOrString
  4 unhealthyPodEvictionPolicy: string? (one of AlwaysAllow IfHealthyBudget, go v1.UnhealthyPodEvictionPolicyType)

PodDisruptionBudgetStatus
  1 observedGeneration: int64
  2 disruptedPods: map meta.Time
  3 disruptionsAllowed: int32! (required)
  4 currentHealthy: int32! (required)
  5 desiredHealthy: int32! (required)
  6 expectedPods: int32! (required)
  7 conditions: meta.Condition[] (merged by type)
`
