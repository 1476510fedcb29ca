import type { ParsedBody } from '../../../src/api/decode/contract.ts'
import { type DecodeOptions, decodeObject } from '../../../src/api/decode/object.ts'
import { ApiError, type Status } from '../../../src/api/error.ts'
import type { Kind } from '../../../src/api/kind.ts'
import { parseJson } from '../../../src/base/json/parse.ts'

export function body(text: string): ParsedBody {
  return { ...parseJson(text), text }
}

/** The refusal of a body. */
export function refusal(kind: Kind, text: string, options?: DecodeOptions): Status {
  try {
    decodeObject(kind, body(text), options)
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
  throw new Error('The body was not refused.')
}
