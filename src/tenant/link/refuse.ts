import type { ServerHttp2Stream } from 'node:http2'
import { giveUp } from '../../client/forward/give-up.ts'

/** Answers a request that does not reach the virtual API, in the form of that API's refusals. */
export function refuse(stream: ServerHttp2Stream, code: number, reason: string, message: string): void {
  if (stream.destroyed || stream.headersSent) {
    giveUp(stream)
    return
  }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  const body = Buffer.from(JSON.stringify(status))
  stream.respond({ ':status': code, 'content-type': 'application/json', 'content-length': body.length })
  stream.end(body)
}
