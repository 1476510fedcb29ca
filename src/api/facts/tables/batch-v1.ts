/** k8s.io.api.batch.v1 */
export const batchV1 = `
CronJob
  1 metadata: meta.ObjectMeta
  2 spec: CronJobSpec!
  3 status: CronJobStatus!

CronJobList
  1 metadata: meta.ListMeta
  2 items: CronJob[]!

CronJobSpec
  1 schedule: string! (required)
  8 timeZone: string?
  2 startingDeadlineSeconds: int64?
  3 concurrencyPolicy: string (one of Allow Forbid Replace, go v1.ConcurrencyPolicy)
  4 suspend: bool?
  5 jobTemplate: JobTemplateSpec! (required)
  6 successfulJobsHistoryLimit: int32?
  7 failedJobsHistoryLimit: int32?

CronJobStatus
  1 active: core.ObjectReference[]
  4 lastScheduleTime: meta.Time
  5 lastSuccessfulTime: meta.Time

Job
  1 metadata: meta.ObjectMeta
  2 spec: JobSpec!
  3 status: JobStatus!

JobCondition
  1 type: string! (required, go v1.JobConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastProbeTime: meta.Time!
  4 lastTransitionTime: meta.Time!
  5 reason: string
  6 message: string

JobList
  1 metadata: meta.ListMeta
  2 items: Job[]!

JobSpec
  1 parallelism: int32?
  2 completions: int32?
  3 activeDeadlineSeconds: int64?
  11 podFailurePolicy: PodFailurePolicy
  16 successPolicy: SuccessPolicy
  7 backoffLimit: int32?
  12 backoffLimitPerIndex: int32?
  13 maxFailedIndexes: int32?
  4 selector: meta.LabelSelector
  5 manualSelector: bool?
  6 template: core.PodTemplateSpec! (required)
  8 ttlSecondsAfterFinished: int32?
  9 completionMode: string? (one of Indexed NonIndexed, go v1.CompletionMode)
  10 suspend: bool?
  14 podReplacementPolicy: string? (one of Failed TerminatingOrFailed, go v1.PodReplacementPolicy)
  15 managedBy: string?

JobStatus
  1 conditions: JobCondition[] (patched by type)
  2 startTime: meta.Time
  3 completionTime: meta.Time
  4 active: int32
  5 succeeded: int32
  6 failed: int32
  11 terminating: int32?
  7 completedIndexes: string
  10 failedIndexes: string?
  8 uncountedTerminatedPods: UncountedTerminatedPods
  9 ready: int32?

JobTemplateSpec
  1 metadata: meta.ObjectMeta!
  2 spec: JobSpec!

PodFailurePolicy
  1 rules: PodFailurePolicyRule[]! (required)

PodFailurePolicyOnExitCodesRequirement
  1 containerName: string?
  2 operator: string! (required, one of In NotIn, go v1.PodFailurePolicyOnExitCodesOperator)
  3 values: int32[]! (required, set)

PodFailurePolicyOnPodConditionsPattern
  1 type: string! (required, go v1.PodConditionType)
  2 status: string! (required, go v1.ConditionStatus)

PodFailurePolicyRule
  1 action: string! (required, one of Count FailIndex FailJob Ignore, go v1.PodFailurePolicyAction)
  2 onExitCodes: PodFailurePolicyOnExitCodesRequirement
  3 onPodConditions: PodFailurePolicyOnPodConditionsPattern[]

SuccessPolicy
  1 rules: SuccessPolicyRule[]! (required)

SuccessPolicyRule
  1 succeededIndexes: string?
  2 succeededCount: int32?

UncountedTerminatedPods
  1 succeeded: string[] (set, go []types.UID)
  2 failed: string[] (set, go []types.UID)
`
