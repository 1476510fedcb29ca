import { type FieldFact, isScalar, type JsonForm, type ScalarType } from '../facts/message.ts'
import { findMessage } from '../facts/messages.ts'

/** One field of a message, prepared for decoding. */
export interface FieldPlan extends Pick<FieldFact, 'name' | 'shape' | 'presence' | 'isInlined'> {
  readonly type: FieldType
}

export type FieldType =
  | { readonly kind: ScalarType }
  | { readonly kind: 'message'; readonly message: string; readonly form: JsonForm | undefined }

export type MessagePlan = ReadonlyMap<number, FieldPlan>

const plans = new Map<string, MessagePlan>()

/** The fields of a message by number, computed once; undefined for messages that are not in the table. */
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

/** The message for a body's apiVersion and kind; undefined if it is unknown. */
export function messageOf(group: string, version: string, kind: string): string | undefined {
  const message = `${packageOf(group, version, kind)}.${kind}`
  return messagePlan(message) === undefined ? undefined : message
}

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1'
/** Kinds that exist in every group, and those that describe the API itself. */
const metaKinds: ReadonlySet<string> = new Set([
  'DeleteOptions',
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
])
/** Packages that are not below `k8s.io.api`. */
const otherPackages: ReadonlyMap<string, string> = new Map([
  ['apiextensions', 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions'],
  ['apiregistration', 'k8s.io.kube_aggregator.pkg.apis.apiregistration'],
])

function packageOf(group: string, version: string, kind: string): string {
  if (metaKinds.has(kind) || group === 'meta.k8s.io') return metaV1
  const name = group === '' ? 'core' : (group.split('.')[0] ?? '')
  return `${otherPackages.get(name) ?? `k8s.io.api.${name}`}.${version}`
}
