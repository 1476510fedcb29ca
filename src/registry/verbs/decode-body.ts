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

/** What a patch makes of an object may not hold more than a body may. Who owns its fields is ours to write down. */
export function requireFewValues(patched: unknown): void {
  if (holdsTooMuch(withoutManagedFields(patched))) throw tooMuch(tooManyValues())
}

function withoutManagedFields(patched: unknown): unknown {
  if (!isJsonObject(patched) || !isJsonObject(patched.metadata)) return patched
  const { managedFields: _, ...metadata } = patched.metadata
  return { ...patched, metadata }
}

const largeText = 64 * 1024

/** To read a large body was a turn of its own. */
export async function restAfterReading({ text }: ParsedBody, pace: Pace): Promise<void> {
  if (text.length > largeText) await pace.rest()
}

/** A body, or the result of a patch, as an object of the kind; what strict decoding objects to is refused or told. */
export function decodeBody(
  kind: Kind,
  body: ParsedBody,
  request: Pick<WriteRequest, 'fieldValidation' | 'warn'>,
  options: Pick<DecodeOptions, 'source' | 'strategicPatch'> = {},
): KubeObject {
  if (request.fieldValidation === 'Warn')
    for (const complaint of otherVersionComplaints(kind, body)) request.warn(complaint)
  const { object, complaints } = decodeObject(kind, body, { ...options, strict: request.fieldValidation === 'Strict' })
  if (request.fieldValidation === 'Warn') for (const complaint of complaints) request.warn(complaint)
  return object
}
