import { forbidden } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod, PodSpec } from '../../api/types/core-v1.ts'
import type { Admission, AdmissionPlugin } from './contract.ts'

/** A rule for pods. `old` is the existing pod; absent for a new one. */
export interface PodRule {
  readonly name: string
  mutate?(pod: Pod, admission: Admission, old: Pod | undefined): Pod | Promise<Pod>
  inspect?(pod: Pod, admission: Admission, old: Pod | undefined): void | Promise<void>
}

/** A plugin for pods. By now the object has been validated against the schema. */
export function podPlugin({ name, mutate, inspect }: PodRule): AdmissionPlugin {
  const old = (admission: Admission) => (admission.old === undefined ? undefined : asPod(admission.old))
  return {
    name,
    handles: (kind) => kind.group === '' && kind.kind === 'Pod',
    ...(mutate && { mutate: (object, admission) => mutate(asPod(object), admission, old(admission)) }),
    ...(inspect && { inspect: (object, admission) => inspect(asPod(object), admission, old(admission)) }),
  }
}

export function withSpec(pod: Pod, changed: Partial<PodSpec>): Pod {
  return { ...pod, spec: { ...pod.spec, ...changed } }
}

export function podForbidden(pod: Pod, reason: string) {
  return forbidden({ plural: 'pods', group: '' }, pod.metadata.name ?? '', reason)
}

function asPod(object: KubeObject): Pod {
  return object as Pod
}
