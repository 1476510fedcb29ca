import { ApiError, type StatusCause } from '../api/error.ts'

/** Anything this long might be a secret, and enough of its beginning to recognise it where a message was cut. */
const long = /[^\s"'\\,{}[\]]{32,}/g
const beginning = 12
const maxTexts = 1000

/**
 * The refusal without what the body of the request said at length. Messages like to quote the body, which for some kinds
 * holds secrets.
 */
export function withoutBodyParts(error: ApiError, body: Buffer): ApiError {
  const texts = [...new Set(body.toString().match(long) ?? [])].slice(0, maxTexts)
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

function cleanCause(cause: StatusCause, texts: readonly string[]): StatusCause {
  return cause.message === undefined ? cause : { ...cause, message: clean(cause.message, texts) }
}

function clean(message: string, texts: readonly string[]): string {
  return texts.reduce(hidden, message)
}

/** From where the text begins as far as it goes on. */
function hidden(message: string, text: string): string {
  const start = message.indexOf(text.slice(0, beginning))
  if (start < 0) return message
  let end = start
  while (end < message.length && message[end] === text[end - start]) end += 1
  return `${message.slice(0, start)}[hidden]${hidden(message.slice(end), text)}`
}
