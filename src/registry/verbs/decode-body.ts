import type { ParsedBody } from '../../api/decode/contract.ts'
import { type DecodeOptions, decodeObject } from '../../api/decode/object.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { WriteRequest } from '../contract.ts'

/** A body, or the result of a patch, as an object of the kind; what strict decoding objects to is refused or told. */
export function decodeBody(
  kind: Kind,
  body: ParsedBody,
  request: Pick<WriteRequest, 'fieldValidation' | 'warn'>,
  options: Pick<DecodeOptions, 'source' | 'strategicPatch'> = {},
): KubeObject {
  const { object, complaints } = decodeObject(kind, body, { ...options, strict: request.fieldValidation === 'Strict' })
  if (request.fieldValidation === 'Warn') for (const complaint of complaints) request.warn(complaint)
  return object
}
