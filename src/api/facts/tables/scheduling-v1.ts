/** k8s.io.api.scheduling.v1 */
export const schedulingV1 = `
PriorityClass
  1 metadata: meta.ObjectMeta
  2 value: int32! (required)
  3 globalDefault: bool
  4 description: string
  5 preemptionPolicy: string? (one of Never PreemptLowerPriority, go v1.PreemptionPolicy)

PriorityClassList
  1 metadata: meta.ListMeta
  2 items: PriorityClass[]!
`
