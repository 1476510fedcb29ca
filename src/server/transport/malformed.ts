import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** An error of Node's parser for bytes that are not a request, or of its timer for bytes that do not arrive. */
export interface MalformedRequest {
  readonly code?: string | undefined
}

const statuses: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/** Writes the answer and ends the connection. There is no request that it could belong to, so Node cannot write it. */
export function refuseMalformed({ code = '' }: MalformedRequest, socket: Socket): void {
  const status = statuses.get(code) ?? 400
  const line = `${status} ${STATUS_CODES[status]}`
  socket.end(`HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${line}`)
}

export interface HeadProblem {
  readonly status: number
  readonly message: string
}

/** Errors in a head that Node's parser accepts but the server does not. */
export function headProblem({ rawHeaders, httpVersion }: IncomingMessage, maxHeaders: number): HeadProblem | undefined {
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders(maxHeaders)
  const hosts = countOf(rawHeaders, 'host')
  if (hosts > 1) return { status: 400, message: 'the request has more than one Host header' }
  if (hosts === 0 && httpVersion === '1.1') return { status: 400, message: 'the request has no Host header' }
  return undefined
}

export function tooManyHeaders(maxHeaders: number): HeadProblem {
  return { status: 431, message: `the request has more than ${maxHeaders} headers` }
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]
    if (header?.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}

/** Nothing that follows is parsed as a request. */
export function refuseHead(outgoing: ServerResponse, { status, message }: HeadProblem): void {
  const body = Buffer.from(`${message}\n`)
  const type = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)]
  outgoing.writeHead(status, [...type, 'Connection', 'close'])
  outgoing.end(body)
}
