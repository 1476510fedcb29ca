import type { KubeObject } from '../../../api/object.ts'
import type { Admission } from '../contract.ts'

/** A write by a kubelet. */
export interface KubeletWrite extends Admission {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  /** The kubelet's own node. */
  readonly node: string
  /** The object to be written; for a deletion, the existing object. */
  readonly object: KubeObject
}

/** Why a kubelet may not make this write; undefined: it may. The texts are exactly those of Kubernetes. */
export type RestrictedWrite = (write: KubeletWrite) => string | undefined
