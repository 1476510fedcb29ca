import type { KubeObject } from '../../../api/object.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { type Condition, withCondition } from '../condition.ts'

type Proven = Omit<Condition, 'type'>

export const provenCondition: Proven = { status: 'True', reason: 'Proven', message: '' }

/** The object with a status that says whether somebody has proven to be it. */
export function withProvenCondition(object: KubeObject, proven: Proven, nowMs: number): KubeObject {
  const status = isJsonObject(object.status) ? object.status : {}
  return {
    ...object,
    status: { ...status, conditions: withCondition(status.conditions, { type: 'Proven', ...proven }, nowMs) },
  }
}
