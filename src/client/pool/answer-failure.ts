import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'

/** Why there is no answer, or only part of one, in readable form. */
export function answerFailure(
  error: unknown,
  { origin, answerTimeoutMs }: { readonly origin: string; readonly answerTimeoutMs: number },
  effect: { readonly nothingSent: boolean },
): unknown {
  if (!(error instanceof Error) || error instanceof ConnectionError) return error
  const seconds = answerTimeoutMs / 1000
  const code = 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new ConnectionError(`${origin} gave no answer within ${seconds} s`)
    case 'UND_ERR_BODY_TIMEOUT':
      return new ConnectionError(`${origin} stopped in the middle of an answer for ${seconds} s`)
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new ConnectionError(`${origin} sent an answer whose headers are too long`)
    case 'UND_ERR_SOCKET':
      return isNoHttp(error) ? notHttp(origin) : connectionFailure(origin, 'the connection was cut', effect)
    case 'UND_ERR_INVALID_ARG':
      // The invalid value may be a secret, which the library does not show.
      return new ConnectionError(`a request to ${origin} cannot be sent: ${error.message}`, effect)
    default:
      return isNoHttp(error) ? notHttp(origin) : connectionFailure(origin, error, effect)
  }
}

/**
 * Whether the error of the library means that a server sent something else than answers of HTTP/1.1. `bad response`,
 * `bad upgrade`: an unsolicited answer, or one of another protocol. The library asserts that it asked for an upgrade.
 */
export function isNoHttp(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ')
  return error.name === 'HTTPParserError' || noHttpCodes.has(code)
}

const noHttpCodes: ReadonlySet<string> = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'])

function notHttp(origin: string): ConnectionError {
  return new ConnectionError(`${origin} sent an answer that is not HTTP/1.1 as it should be`)
}
