import type { JobPod } from '../../../src/controllers/job/job-facts.ts'
import type { JobPodFacts } from '../../../src/controllers/pods/job-pod-facts.ts'
import { podFactsFrom } from '../../../src/controllers/pods/pod-facts.ts'

export interface JobPodGiven extends Partial<Omit<JobPod, 'job'>> {
  readonly job?: Partial<JobPodFacts>
}

const plainPod = podFactsFrom({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a' },
  spec: { containers: [] },
  status: {},
})

let made = 0

/** A Pod of a Job, by default with a unique name. */
export function jobPodOf(
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed',
  { job, ...given }: JobPodGiven = {},
): JobPod {
  made += 1
  return {
    ...plainPod,
    name: `j-${made}`,
    uid: `uid-${made}`,
    phase,
    nodeName: 'n',
    ...given,
    job: {
      isTracked: true,
      index: undefined,
      failuresBefore: 0,
      ignoredBefore: 0,
      isCutOff: false,
      finishedMs: 0,
      containerRestarts: 0,
      end: undefined,
      ...job,
    },
  }
}
