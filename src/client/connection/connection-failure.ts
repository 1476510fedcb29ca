import { ConnectionError } from './connection-error.ts'

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name could not be looked up: is there a network?',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no answer in time',
  EPROTO: 'what listens there does not speak TLS as it should',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what listens there does not speak TLS; is it plain HTTP, or a proxy?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what listens there does not speak TLS; is it plain HTTP, or a proxy?',
}

/** A network failure in readable form. */
export function connectionFailure(
  origin: string,
  error: unknown,
  options: { readonly nothingSent?: boolean } = {},
): ConnectionError {
  return new ConnectionError(`cannot reach ${origin}: ${reasonOf(error)}`, options)
}

/** Only the reason, for messages that name the server differently, or must not name it. */
export function withoutAddress(message: string): string {
  return message.replace(/^cannot reach \S+: /, '')
}

function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first !== undefined) return reasonOf(first)
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(texts, code) ? texts[code] : undefined
  return known === undefined ? error.message : `${known} (${code})`
}
