import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Protocol } from '../../support/raw-ask.ts'

export interface FloodRequest {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: the request has no body. `silent`: the body is announced and never sent. */
  readonly body?: string | 'silent'
}

export interface Sent {
  /** 0 if the connection or the stream ended without an answer. */
  readonly status: Promise<number>
  /** Whether the head of the answer has arrived. */
  isAnswered(): boolean
  /** Sends the missing body of a silent request. */
  finish(text: string): void
}

export interface Flood {
  send(count: number, request: FloodRequest): readonly Sent[]
  /** Resolves when the server has read everything that was sent so far. */
  arrived(): Promise<void>
  close(): void
}

const streamsPerConnection = 100

/** The statuses of the first `count` requests that are answered. */
export function firstAnswers(sent: readonly Sent[], count: number): Promise<readonly number[]> {
  const answers: number[] = []
  return new Promise((resolve) => {
    for (const { status } of sent) {
      status.then((answer) => {
        answers.push(answer)
        if (answers.length === count) resolve(answers)
      })
    }
  })
}

/** Sends many requests at once, over as many connections as that takes. */
export function floodOver(protocol: Protocol, port: number, localAddress = '127.0.0.1'): Flood {
  return protocol === 'HTTP/2' ? new Http2Flood(port, localAddress) : new Http1Flood(port, localAddress)
}

class Http2Flood implements Flood {
  readonly #port: number
  readonly #localAddress: string
  readonly #sessions: ClientHttp2Session[] = []
  #streams = 0

  constructor(port: number, localAddress: string) {
    this.#port = port
    this.#localAddress = localAddress
  }

  send(count: number, request: FloodRequest): readonly Sent[] {
    return Array.from({ length: count }, () => http2Sent(this.#session(), request))
  }

  async arrived(): Promise<void> {
    await Promise.all(this.#sessions.map(answersPing))
  }

  /** Not while the session processes received data: Node 20 would never return. */
  close(): void {
    for (const session of this.#sessions) setImmediate(() => session.destroy())
  }

  #session(): ClientHttp2Session {
    const last = this.#sessions.at(-1)
    this.#streams += 1
    if (last !== undefined && this.#streams <= streamsPerConnection) return last
    this.#streams = 1
    const options = { rejectUnauthorized: false, localAddress: this.#localAddress }
    const session = connectHttp2(`https://127.0.0.1:${this.#port}`, options)
    session.on('error', () => {}).setMaxListeners(0)
    this.#sessions.push(session)
    return session
  }
}

function http2Sent(session: ClientHttp2Session, { method = 'GET', path, token, headers, body }: FloodRequest): Sent {
  const head = {
    ':method': method,
    ':path': path,
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  }
  const stream: ClientHttp2Stream = session.request(head, { endStream: body === undefined })
  let isAnswered = false
  const status = new Promise<number>((resolve) => {
    stream.on('response', (answer) => {
      isAnswered = true
      resolve(Number(answer[':status']))
    })
    stream.on('error', () => {}).on('close', () => resolve(0))
  })
  stream.resume()
  if (body !== undefined && body !== 'silent') stream.end(body)
  return { status, isAnswered: () => isAnswered, finish: (text) => stream.end(text) }
}

/** A closing session answers no ping, and has read everything that it will read. */
async function answersPing(session: ClientHttp2Session): Promise<void> {
  if (session.connecting) await new Promise((resolve) => session.once('connect', resolve).once('close', resolve))
  if (session.destroyed || session.closed) return
  await new Promise<void>((resolve) => {
    session.once('close', () => resolve())
    if (!session.ping(() => resolve())) resolve()
  })
}

class Http1Flood implements Flood {
  readonly #port: number
  readonly #localAddress: string
  readonly #sockets: TLSSocket[] = []

  constructor(port: number, localAddress: string) {
    this.#port = port
    this.#localAddress = localAddress
  }

  send(count: number, request: FloodRequest): readonly Sent[] {
    return Array.from({ length: count }, () => this.#sendOne(request))
  }

  /** Bytes are acknowledged in order, so a request on another connection is later than these. */
  async arrived(): Promise<void> {
    await Promise.all(this.#sockets.map(isWritten))
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #sendOne({ method = 'GET', path, token, headers = {}, body }: FloodRequest): Sent {
    const options = { port: this.#port, host: '127.0.0.1', localAddress: this.#localAddress }
    const socket = connectTls({ ...options, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    this.#sockets.push(socket)
    const length = body === 'silent' ? 1_000 : (body?.length ?? 0)
    const lines = [
      ...[`${method} ${path} HTTP/1.1`, 'Host: platform', 'Content-Type: application/json'],
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`Content-Length: ${length}`]),
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body === undefined || body === 'silent' ? '' : body}`)
    let isAnswered = false
    const status = new Promise<number>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        isAnswered = true
        resolve(Number(chunk.toString('latin1').split(' ')[1]))
      })
      socket.on('error', () => {}).on('close', () => resolve(0))
    })
    return { status, isAnswered: () => isAnswered, finish: (text) => socket.end(text.padEnd(1_000)) }
  }
}

async function isWritten(socket: TLSSocket): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.write('', () => resolve())
  })
}
