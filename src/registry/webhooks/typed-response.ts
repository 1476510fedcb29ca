import { decodeStruct } from '../../api/decode/typed.ts'
import type { Schema } from '../../api/schema.ts'
import { asMembers } from '../../base/json/lenient.ts'

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer', format: 'int32' }

const cause: Schema = {
  type: 'object',
  name: 'meta.v1.StatusCause',
  properties: { reason: { type: 'string', goType: 'v1.CauseType' }, message: text, field: text },
}
const details: Schema = {
  type: 'object',
  name: 'meta.v1.StatusDetails',
  properties: {
    name: text,
    group: text,
    kind: text,
    uid: { type: 'string', goType: 'types.UID' },
    causes: { type: 'array', items: cause },
    retryAfterSeconds: number,
  },
}
const status: Schema = {
  type: 'object',
  name: 'meta.v1.Status',
  properties: {
    status: text,
    message: text,
    reason: { type: 'string', goType: 'v1.StatusReason' },
    details,
    code: number,
  },
}
const response: Schema = {
  type: 'object',
  name: 'admission.v1.AdmissionResponse',
  properties: {
    uid: { type: 'string', goType: 'types.UID' },
    allowed: { type: 'boolean' },
    status,
    patch: { type: 'string', format: 'byte' },
    patchType: { type: 'string', goType: 'v1.PatchType' },
    auditAnnotations: { type: 'object', additionalProperties: text },
    warnings: { type: 'array', items: text },
  },
}
const review: Schema = { type: 'object', name: 'admission.v1.AdmissionReview', properties: { response } }

/**
 * The response of a webhook, with members of the right types. `refuse` throws for others: what a webhook means by
 * them is unknown. Undefined: there is none.
 */
export function typedResponse(
  given: unknown,
  refuse: (problem: string) => never,
): Readonly<Record<string, unknown>> | undefined {
  const context = { path: [], names: [], unknownFields: [], refuse }
  const decoded = asMembers(decodeStruct(review, { response: given ?? null }, context))
  return decoded.response === undefined ? undefined : asMembers(decoded.response)
}
