import { ApiError } from '../api/error.ts'
import type { StatusCause } from '../api/types/meta-v1.ts'

/** Members whose values are secrets, including `value` of a JSON Patch. */
const secretMember =
  /["']?(key|connectorData|idToken|accessToken|refreshToken|value)["']?\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"',}\]]+))/g
/** Long texts with many digits, anywhere: names do not look like that. */
const long = /[^\s"'\\,{}[\]]{32,}/g
const manyDigits = 6
/** Enough of a value to recognize it in a message that was cut. */
const beginning = 12
const maxTexts = 1000

/** The refusal without parts of the request body that look like a key: messages often quote the body. */
export function withoutBodyParts(error: ApiError, body: Buffer): ApiError {
  const texts = secretsIn(body.toString())
  if (texts.length === 0) return error
  const { message = '', details } = error.status
  const causes = details?.causes?.map((cause) => cleanCause(cause, texts))
  const status = {
    ...error.status,
    message: clean(message, texts),
    ...(details === undefined || causes === undefined ? {} : { details: { ...details, causes } }),
  }
  return new ApiError(status, error.layer)
}

/** Searches the text, because a refused body may not be JSON at all. */
function secretsIn(body: string): readonly string[] {
  const named = [...body.matchAll(secretMember)].map(([, , double, single, bare]) => double ?? single ?? bare ?? '')
  const opaque = (body.match(long) ?? []).filter((text) => text.replace(/\D/g, '').length >= manyDigits)
  const texts = [...named, ...opaque].filter((text) => text.length >= beginning)
  return [...new Set(texts)].slice(0, maxTexts)
}

function cleanCause(cause: StatusCause, texts: readonly string[]): StatusCause {
  return cause.message === undefined ? cause : { ...cause, message: clean(cause.message, texts) }
}

function clean(message: string, texts: readonly string[]): string {
  return texts.reduce(hidden, message)
}

/** Hides the longest common part from where the text begins. */
function hidden(message: string, text: string): string {
  const start = message.indexOf(text.slice(0, beginning))
  if (start < 0) return message
  let end = start
  while (end < message.length && message[end] === text[end - start]) end += 1
  return `${message.slice(0, start)}[hidden]${hidden(message.slice(end), text)}`
}
