import { tooMuch } from '../../api/decode/body.ts'
import type { ParsedBody } from '../../api/decode/contract.ts'
import { type DecodeOptions, decodeObject } from '../../api/decode/object.ts'
import { otherVersionComplaints } from '../../api/decode/other-version.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { holdsTooMuch, tooManyValues } from '../../base/json/limits.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Pace } from '../../base/pace.ts'
import type { WriteRequest } from '../contract.ts'

/** A patched object may not hold more values than a body may. managedFields do not count, since the server writes them. */
export function requireFewValues(patched: unknown): void {
  if (holdsTooMuch(withoutManagedFields(patched))) throw tooMuch(tooManyValues())
}

function withoutManagedFields(patched: unknown): unknown {
  if (!isJsonObject(patched) || !isJsonObject(patched.metadata)) return patched
  const { managedFields: _, ...metadata } = patched.metadata
  return { ...patched, metadata }
}

const largeText = 64 * 1024

/** Reading a large body took a whole turn. */
export async function restAfterReading({ text }: ParsedBody, pace: Pace): Promise<void> {
  if (text.length > largeText) await pace.rest()
}

/**
 * Decodes a body, or the result of a patch, as an object of the kind. Strict decoding errors are refused or become
 * warnings.
 */
export function decodeBody(
  kind: Kind,
  body: ParsedBody,
  request: Pick<WriteRequest, 'fieldValidation' | 'warn'>,
  options: Pick<DecodeOptions, 'source' | 'strategicPatch' | 'applied'> = {},
): KubeObject {
  if (request.fieldValidation === 'Warn')
    for (const complaint of otherVersionComplaints(kind, body)) request.warn(complaint)
  const { object, complaints } = decodeObject(kind, body, { ...options, strict: request.fieldValidation === 'Strict' })
  if (request.fieldValidation === 'Warn') for (const complaint of complaints) request.warn(complaint)
  return object
}
