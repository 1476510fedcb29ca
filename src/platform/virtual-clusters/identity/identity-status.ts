import type { KubeObject } from '../../../api/object.ts'
import type { VirtualClusterInstance } from '../../../api/types/management.ts'
import { type InstanceCondition, withInstanceCondition } from '../condition.ts'

type Proven = Omit<InstanceCondition, 'type'>

export const provenCondition: Proven = { status: 'True', reason: 'Proven', message: '' }

/** The object with a condition that reports whether the identity of its virtual cluster has been proven. */
export function withProvenCondition(object: KubeObject, proven: Proven, nowMs: number): KubeObject {
  const { status = {} } = object as VirtualClusterInstance
  return {
    ...object,
    status: { ...status, conditions: withInstanceCondition(status.conditions, { type: 'Proven', ...proven }, nowMs) },
  }
}
