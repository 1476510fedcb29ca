/** Kinds that the older server has only in earlier versions. */
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

/** Objects that the older server refuses and we accept, by kind and the text of its refusal, and why. */
export const differences: readonly (readonly [kind: string, refusal: RegExp, why: string])[] = []
