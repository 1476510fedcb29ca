import type { KubeObject } from '../../../api/object.ts'
import type { Admission } from '../contract.ts'

/** A write of a kubelet. */
export interface KubeletWrite extends Admission {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  /** Of the kubelet. */
  readonly node: string
  /** As it would be; what is there, for a deletion. */
  readonly object: KubeObject
}

/** Why a kubelet may not; undefined: it may. The texts are those of Kubernetes. */
export type RestrictedWrite = (write: KubeletWrite) => string | undefined
