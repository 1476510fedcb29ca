import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Engine } from '../context.ts'
import type { WriteRequest } from '../contract.ts'

/** One write as plugins see it. */
export interface Admission {
  readonly engine: Engine
  readonly kind: Kind
  /** The existing object; absent for a new one. */
  readonly old: KubeObject | undefined
  readonly request: WriteRequest
}

/**
 * A rule of the cluster for objects of some kinds. If it throws, the write is refused. `mutate` runs before the kind
 * prepares and validates the object, `inspect` after, `remove` before a deletion. They do not see writes to `/status`
 * unless `seesStatus` is set.
 */
export interface AdmissionPlugin {
  readonly name: string
  readonly seesStatus?: true
  handles(kind: Kind): boolean
  mutate?(object: KubeObject, admission: Admission): KubeObject | Promise<KubeObject>
  inspect?(object: KubeObject, admission: Admission): void | Promise<void>
  remove?(object: KubeObject, admission: Admission): void
}

export function isCore(kind: Kind, name: string): boolean {
  return kind.group === '' && kind.kind === name
}
