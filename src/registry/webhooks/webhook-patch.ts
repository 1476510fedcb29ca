import { parsePatchBody } from '../../api/decode/body.ts'
import { decodeObject } from '../../api/decode/object.ts'
import { ApiError, badRequest, internalError } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Steps } from '../../base/steps.ts'
import { jsonPatchSteps } from '../patch/json-patch.ts'
import type { PatchOperation } from '../patch/json-patch-operations.ts'
import { requireFewValues } from '../verbs/decode-body.ts'
import { defaultedChange } from '../verbs/defaulted-change.ts'
import type { WebhookAnswer } from './review-answer.ts'
import { repeatedText } from './review-body.ts'
import { WebhookFailure } from './webhook-failure.ts'

/**
 * The object after a webhook's patch, decoded and defaulted as if a client had sent it; the same object if nothing
 * changed. Webhooks cannot change the owners of fields.
 */
export function* patchedSteps(
  webhook: string,
  answer: Pick<WebhookAnswer, 'patch' | 'patchType'>,
  shown: KubeObject,
  kind: Kind,
): Steps<KubeObject> {
  if (answer.patch === '') return shown
  try {
    return yield* applied(answer, shown, kind)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A patch that cannot be applied is not the caller's mistake.
    throw internalError(`the patch of admission webhook ${quoted(webhook)} cannot be applied: ${error.message}`)
  }
}

function* applied(
  { patch, patchType }: Pick<WebhookAnswer, 'patch' | 'patchType'>,
  shown: KubeObject,
  kind: Kind,
): Steps<KubeObject> {
  const { value: operations } = parsePatchBody(Buffer.from(patch), 'json', undefined, kind)
  if (!Array.isArray(operations) || operations.length === 0) return shown
  if (patchType !== 'JSONPatch') throw new WebhookFailure(`unsupported patch type ${quoted(patchType)}`)
  yield
  const value = yield* jsonPatchSteps(shown, operations, unfitting)
  requireFewValues(value)
  yield
  const { object } = decodeObject(kind, { value, duplicateFields: [], text: '' })
  yield
  return withManagedFieldsOf(defaultedChange(kind, object, shown), shown)
}

function unfitting({ op, path = '' }: PatchOperation, index: number): ApiError {
  const which = `operation ${index}, ${quoted(repeatedText(op))} at ${quoted(repeatedText(path))}`
  return badRequest(`${which}, is invalid or does not fit the object`)
}

function withManagedFieldsOf(object: KubeObject, { metadata: { managedFields } }: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } }
}
