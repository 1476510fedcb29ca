import type { KubeObject } from '../../../api/object.ts'
import { specOf } from '../record/access-key.ts'

/** Adds the value to the one answer that shows it. */
export function revealing(key: string): (object: KubeObject) => KubeObject {
  return (object) => ({ ...object, spec: { ...specOf(object), key } })
}
