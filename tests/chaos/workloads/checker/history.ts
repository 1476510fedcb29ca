/** An object in a watch event, reduced to the fields that the checker uses. */
export interface Seen {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[]
  }
  readonly spec?: SeenSpec
  readonly status?: SeenStatus
}

export interface SeenSpec {
  readonly replicas?: number
  readonly strategy?: {
    readonly type?: string
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string }
  }
  readonly podManagementPolicy?: string
  readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } }
  readonly parallelism?: number
  readonly completions?: number
  readonly completionMode?: string
  readonly suspend?: boolean
}

export interface SeenStatus {
  readonly observedGeneration?: number
  readonly phase?: string
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly active?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] }
}

export interface Sight {
  readonly type: string
  readonly object: Seen
}

/**
 * The mark of a client on a Pod that it deletes to disturb a workload: no controller is responsible for that deletion.
 */
export const takenMark = 'chaos.example.com/taken'

/** A label of templates and so of Pods: the version of the template. */
export const versionLabel = 'version'

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'

export function revisionOf({ metadata }: Seen): number {
  return Number(metadata.resourceVersion)
}

export function hasEnded({ status }: Seen): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Neither ended nor being deleted. */
export function isLive(pod: Seen): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod)
}

export function isReady(pod: Seen): boolean {
  return isLive(pod) && isTrue(pod, 'Ready')
}

export function isTrue({ status }: Seen, condition: string): boolean {
  return (status?.conditions ?? []).some((each) => each.type === condition && each.status === 'True')
}

export function controllerOf({ metadata }: Seen): string | undefined {
  return metadata.ownerReferences?.find((each) => each.controller === true)?.uid
}

export function versionOfPod({ metadata }: Seen): string | undefined {
  return metadata.labels?.[versionLabel]
}

export function versionAsked({ spec }: Seen): string | undefined {
  return spec?.template?.metadata?.labels?.[versionLabel]
}

/** In the order of the store. Repeated events count once. */
export function inOrder(sights: Iterable<Sight>): readonly Sight[] {
  const sorted = [...sights].sort((left, right) => revisionOf(left.object) - revisionOf(right.object))
  return sorted.filter((each, index) => !isSameSight(each, sorted[index - 1]))
}

function isSameSight(sight: Sight, before: Sight | undefined): boolean {
  return (
    before !== undefined &&
    sight.type === before.type &&
    sight.object.metadata.uid === before.object.metadata.uid &&
    revisionOf(sight.object) === revisionOf(before.object)
  )
}
