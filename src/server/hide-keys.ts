import { ApiError } from '../api/error.ts'
import { holdsKey, withoutKeys } from '../auth/keys/redact.ts'

/** The refusal without values of access keys. Refusals name what was asked for, and that may be a key. */
export function withoutKeyValues(error: ApiError): ApiError {
  const text = JSON.stringify(error.status)
  return holdsKey(text) ? new ApiError(JSON.parse(withoutKeys(text)), error.layer) : error
}
