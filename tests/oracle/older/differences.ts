/** Kinds that the older server has in versions before the present one only. */
export const notServed: ReadonlySet<string> = new Set([
  'CronJob',
  'CSIStorageCapacity',
  'EndpointSlice',
  'FlowSchema',
  'HorizontalPodAutoscaler.v2',
  'PodDisruptionBudget',
  'PriorityLevelConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
])

/** What the older server refuses and we take, by kind and the text of its refusal, and why. */
export const differences: readonly (readonly [kind: string, refusal: RegExp, why: string])[] = []
