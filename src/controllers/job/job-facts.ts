import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Job, JobCondition } from '../../api/types/batch-v1.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import type { JobPodFacts } from '../pods/job-pod-facts.ts'
import type { PodFacts } from '../pods/pod-facts.ts'

/** A current or former Pod of a Job. */
export interface JobPod extends PodFacts {
  readonly job: JobPodFacts
}

export interface JobEnd {
  readonly type: 'Complete' | 'Failed'
  readonly atMs: number
}

/** What is known of every Job. */
export interface JobFacts extends Owned {
  readonly resourceVersion: string
  readonly selector: LabelSelector
  /** Undefined while it runs. */
  readonly end: JobEnd | undefined
  readonly startTime: string | undefined
  readonly completionTime: string | undefined
  /** How long it is kept after its end; undefined: forever. */
  readonly ttlMs: number | undefined
  /** Whether another controller manages it. */
  readonly isManagedElsewhere: boolean
}

const ownName = 'kubernetes.io/job-controller'

export function jobFactsFrom(object: KubeObject): JobFacts {
  const { spec, status } = object as Job
  const { ttlSecondsAfterFinished: ttlSeconds } = spec
  return {
    ...ownedFrom(object),
    resourceVersion: object.metadata.resourceVersion ?? '',
    selector: labelSelectorFrom(spec.selector),
    end: jobEndIn(status.conditions ?? []),
    startTime: status.startTime,
    completionTime: status.completionTime,
    ttlMs: ttlSeconds === undefined ? undefined : ttlSeconds * 1000,
    isManagedElsewhere: spec.managedBy !== undefined && spec.managedBy !== ownName,
  }
}

function jobEndIn(conditions: readonly JobCondition[]): JobEnd | undefined {
  for (const { type, status, lastTransitionTime } of conditions) {
    if ((type === 'Complete' || type === 'Failed') && status === 'True') {
      return { type, atMs: Date.parse(lastTransitionTime ?? '') || 0 }
    }
  }
  return undefined
}

export function isJobPod(pod: PodFacts): pod is JobPod {
  return pod.job !== undefined
}
