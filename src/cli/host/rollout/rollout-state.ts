import type { KubeObject } from '../../../api/object.ts'

/** The observed state of a StatefulSet or Deployment. */
export interface RolloutState {
  readonly workload: KubeObject | undefined
  readonly pods: readonly KubeObject[]
  readonly claims?: readonly KubeObject[]
  /** Warnings of the namespace. */
  readonly events?: readonly KubeObject[]
}
