import { constants, type ServerHttp2Stream } from 'node:http2'
import { anonymousUser } from '../../../api/access.ts'
import type { AnswerRequest } from '../../answers/answer.ts'
import type { Exchange } from '../../exchange.ts'
import { deliver } from '../deliver.ts'
import { type HeadProblem, tooManyHeaders } from '../malformed.ts'
import { Http2Channel } from './http2-channel.ts'
import { resetStream } from './http2-endings.ts'
import { Http2Request } from './http2-request.ts'
import type { IncomingStream } from './incoming-stream.ts'
import { UpgradedStreamChannel } from './upgraded-stream.ts'

export interface StreamService {
  readonly answer: AnswerRequest
  readonly maxHeaders: number
  /** Called when an answer is the last one for the caller on this connection. */
  readonly onLastAnswer: () => void
  /** Called when a caller has been authenticated. */
  readonly onKnownCaller: (name: string) => void
  /** Called when a body arrives in too many pieces. */
  readonly onFlood: () => void
}

/** Answers one stream, whichever side opened the session. Undefined: its head was refused. */
export function serveStream(service: StreamService, incoming: IncomingStream): Http2Request | undefined {
  const { answer, maxHeaders, onLastAnswer, onKnownCaller, onFlood } = service
  const { stream, headers, rawHeaders } = incoming
  stream.on('error', ignore)
  if (rawHeaders.length > 2 * maxHeaders) {
    refuse(stream, tooManyHeaders(maxHeaders))
    return undefined
  }
  if (headers[':path'] === undefined) {
    refuse(stream, { status: 405, message: 'this server opens no tunnels' })
    return undefined
  }
  const request = new Http2Request(incoming, onFlood)
  const channel = incoming.upgrade === undefined ? new Http2Channel(stream) : new UpgradedStreamChannel(stream)
  answer(request, (exchange, response) => {
    deliver(exchange, response, channel)
    if (exchange.caller.name !== anonymousUser.name) onKnownCaller(exchange.caller.name)
    if (exchange.endsConnection || isStranger(exchange)) onLastAnswer()
  })
  return request
}

/**
 * A caller without credentials gets one answer per connection, so that it cannot hold many streams open; a proxy asks
 * for others and is exempt.
 */
function isStranger({ caller, isOpenToAll, request }: Exchange): boolean {
  return caller.name === anonymousUser.name && !isOpenToAll && request.peer.proxies === undefined
}

function refuse(stream: ServerHttp2Stream, { status, message }: HeadProblem): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' })
  stream.end(`${message}\n`, () => resetStream(stream, constants.NGHTTP2_NO_ERROR))
}

function ignore(): void {}
