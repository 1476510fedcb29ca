import type { KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'

export function isKubeObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value) &&
    typeof value.apiVersion === 'string' &&
    typeof value.kind === 'string' &&
    isJsonObject(value.metadata)
  )
}
