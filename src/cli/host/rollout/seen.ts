import type { KubeObject } from '../../../api/object.ts'

/** What a cluster tells about a StatefulSet or Deployment. */
export interface RolloutSeen {
  readonly workload: KubeObject | undefined
  readonly pods: readonly KubeObject[]
  readonly claims?: readonly KubeObject[]
  /** Warnings of the namespace. */
  readonly events?: readonly KubeObject[]
}
