import { ApiError } from '../../api/error.ts'
import type { StatusCause } from '../../api/types/meta-v1.ts'

/** Members whose values are secrets, including `value` of a JSON Patch. */
const secretMember =
  /["']?(?:key|connectorData|idToken|accessToken|refreshToken|value)["']?\s*:\s*(?:"((?:[^"\\]|\\.){12,})"|'([^']{12,})'|([^\s"',}\]]{12,}))/g
/** Long texts with many digits, anywhere: names do not look like that. */
const long = /[^\s"'\\,{}[\]]{32,}/g
const manyDigits = /(?:\d\D*){6}/
/** Enough of a value to recognize it in a message that was cut. */
const beginning = 12
const maxTexts = 1000
/** The search takes time, and no key or token is in so long a body for a good reason. */
const longestSearched = 256 * 1024
/** Codes of refusals that only tell of a limit or of media types. */
const quoteNothing: ReadonlySet<number> = new Set([413, 415])
const notQuoted = 'the request was refused, for a reason that is not shown: it could quote secrets in the long body'

/** The refusal without parts of the request body that look like a key: messages often quote the body. */
export function withoutBodyParts(error: ApiError, body: Buffer): ApiError {
  if (quoteNothing.has(error.code)) return error
  if (body.length > longestSearched) return withoutMessages(error)
  const texts = secretsIn(body.toString()).flatMap(asQuoted)
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

function withoutMessages({ status, layer }: ApiError): ApiError {
  const { causes: _, ...details } = status.details ?? {}
  return new ApiError({ ...status, message: notQuoted, ...(status.details && { details }) }, layer)
}

/** Messages about YAML quote its bytes. */
function asQuoted(text: string): readonly string[] {
  return [text, Buffer.from(text).toString('hex')]
}

/** Searches the text, because a refused body may not be JSON at all. */
function secretsIn(body: string): readonly string[] {
  const named = [...body.matchAll(secretMember)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const texts = [...named, ...(body.match(long) ?? []).filter((text) => manyDigits.test(text))]
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
