import { type FieldFact, isScalar, type JsonForm, type ScalarType } from '../facts/message.ts'
import { findMessage } from '../facts/messages.ts'

/** One field of a message, ready for decoding. */
export interface FieldPlan extends Pick<FieldFact, 'name' | 'shape' | 'presence' | 'isInlined'> {
  readonly type: FieldType
}

export type FieldType =
  | { readonly kind: ScalarType }
  | { readonly kind: 'message'; readonly message: string; readonly form: JsonForm | undefined }

export type MessagePlan = ReadonlyMap<number, FieldPlan>

const plans = new Map<string, MessagePlan>()

/** The fields of a message by number, made once; undefined for messages that are not in the table. */
export function messagePlan(message: string): MessagePlan | undefined {
  const known = plans.get(message)
  if (known !== undefined) return known
  const fields = findMessage(message)?.fields
  if (fields === undefined) return undefined
  const plan = new Map(fields.map((field) => [field.number, { ...field, type: fieldType(field.type) }]))
  plans.set(message, plan)
  return plan
}

function fieldType(type: string): FieldType {
  return isScalar(type) ? { kind: type } : { kind: 'message', message: type, form: findMessage(type)?.form }
}

/** The message of what a body calls itself; undefined if it is none that is known. */
export function messageOf(group: string, version: string, kind: string): string | undefined {
  const message = `${packageOf(group, version, kind)}.${kind}`
  return messagePlan(message) === undefined ? undefined : message
}

function packageOf(group: string, version: string, kind: string): string {
  if (kind === 'DeleteOptions' || group === 'meta.k8s.io') return 'k8s.io.apimachinery.pkg.apis.meta.v1'
  if (group === '') return `k8s.io.api.core.${version}`
  const name = group.split('.')[0]
  return name === 'apiextensions'
    ? `k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.${version}`
    : `k8s.io.api.${name}.${version}`
}
