import type { KubeObject } from '../../../api/object.ts'
import type { Admission } from '../contract.ts'

/** A write of a kubelet. */
export interface KubeletWrite extends Admission {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  /** The kubelet's own. */
  readonly node: string
  /** As it would be written; for a deletion, as it is. */
  readonly object: KubeObject
}

/** Why a kubelet may not write that; undefined: it may. The texts are those of Kubernetes, to the letter. */
export type RestrictedWrite = (write: KubeletWrite) => string | undefined
