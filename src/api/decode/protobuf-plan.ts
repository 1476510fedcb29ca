import { type Presence, type ProtobufField, protobufFields } from '../core/protobuf-fields.ts'
import { isInlined, type JsonForm, jsonName, specialForms } from '../core/protobuf-names.ts'

/** One field of a message, ready for decoding. */
export interface FieldPlan {
  readonly name: string
  readonly shape: ProtobufField['shape']
  readonly type: FieldType
  readonly presence: Presence
  /** The members of the nested message stand beside those of this one. */
  readonly inlined: boolean
}

export type FieldType =
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes' }
  | { readonly kind: 'message'; readonly message: string; readonly form: JsonForm | undefined }

export type MessagePlan = ReadonlyMap<number, FieldPlan>

const plans = new Map<string, MessagePlan>()

/** The fields of a message by number, made once; undefined for messages that are not in the table. */
export function messagePlan(message: string): MessagePlan | undefined {
  const known = plans.get(message)
  if (known !== undefined) return known
  const fields = protobufFields(message)
  if (fields === undefined) return undefined
  const plan = new Map(fields.map((field) => [field.number, fieldPlan(message, field)]))
  plans.set(message, plan)
  return plan
}

function fieldPlan(message: string, field: ProtobufField): FieldPlan {
  return {
    name: jsonName(message, field.name),
    shape: field.shape,
    type: fieldType(field.type),
    presence: field.presence,
    inlined: isInlined(message, field.name),
  }
}

function fieldType(type: string): FieldType {
  switch (type) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'double':
    case 'bytes':
      return { kind: type }
    default:
      return { kind: 'message', message: type, form: specialForms.get(type) }
  }
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
