import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import { headTooLarge } from '../../api/error.ts'
import { upgradeHeader } from '../../api/link.ts'
import { linkLimits } from '../../api/link-limits.ts'
import { mostAnnouncements } from '../connection/announcements.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { carry } from './carry.ts'
import type { ForwardAnswer, ForwardRequest } from './contract.ts'
import { giveUp } from './give-up.ts'
import { flatHeaders, http2Headers } from './http2-headers.ts'
import { withoutRepeats } from './repeats.ts'

/**
 * Sends a request as a stream of a session. HTTP/2 cannot upgrade a connection, so a header represents it in both
 * directions: an answer with this header is the upgraded connection itself.
 */
export function forwardOverHttp2(session: ClientHttp2Session, request: ForwardRequest): Promise<ForwardAnswer> {
  const { signal, body, upgrade } = request
  return new Promise((resolve, reject) => {
    if (session.closed || session.destroyed || signal.aborted) {
      reject(new ConnectionError('the connection is closed', { nothingSent: true }))
      return
    }
    const head = headOf(request)
    const bytes = headBytes(head)
    if (bytes > linkLimits.maxHeaderBytes) {
      reject(headTooLarge(bytes, linkLimits.maxHeaderBytes))
      return
    }
    const stream = session.request(head, { endStream: body === undefined && upgrade === undefined })
    const cancel = () => giveUp(stream)
    let isAnswered = false
    signal.addEventListener('abort', cancel, { once: true })
    stream.once('response', (headers, _flags, raw?: unknown) => {
      isAnswered = true
      signal.removeEventListener('abort', cancel)
      resolve(answerOf(stream, Number(headers[':status'] ?? 502), rawOf(raw)))
    })
    let announced = 0
    stream.on('headers', () => {
      announced += 1
      if (announced > mostAnnouncements) cancel()
    })
    stream.once('close', () => {
      if (isAnswered) return
      signal.removeEventListener('abort', cancel)
      reject(new ConnectionError('the connection was cut'))
    })
    stream.on('error', () => {})
    sendBody(stream, body)
  })
}

function headOf({ method, url, headers, upgrade }: ForwardRequest) {
  return {
    ...http2Headers(headers),
    ...(upgrade === undefined ? {} : { [upgradeHeader]: upgrade }),
    ':method': method,
    ':path': url,
  }
}

/** Added for each field, as RFC 9113 counts the size of a list of headers. */
const fieldBytes = 32

/** Node closes the whole session, with the requests of others, for one head that is too large to be sent. */
function headBytes(head: OutgoingHttpHeaders): number {
  const sizes = Object.entries(head).flatMap(([name, value]) =>
    [value].flat().map((each) => name.length + String(each).length + fieldBytes),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function sendBody(stream: ClientHttp2Stream, body: ForwardRequest['body']): void {
  if (body === undefined) return
  if (Buffer.isBuffer(body)) {
    stream.end(body)
    return
  }
  body.once('error', () => giveUp(stream))
  carry(body, stream)
}

function rawOf(raw: unknown): readonly string[] {
  return Array.isArray(raw) ? raw.map(String) : []
}

function answerOf(stream: ClientHttp2Stream, status: number, raw: readonly string[]): ForwardAnswer {
  const headers = withoutRepeats(flatHeaders(raw))
  const at = headers.indexOf(upgradeHeader)
  if (at < 0) return { form: 'answer', status, headers, body: stream }
  const rest = headers.filter((_, index) => index !== at && index !== at + 1)
  return { form: 'upgraded', protocol: headers[at + 1] ?? '', headers: rest, connection: stream }
}
