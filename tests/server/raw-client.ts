import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** Bytes in, bytes out: for requests that no HTTP library would send. */
export class RawClient {
  readonly socket: Socket
  readonly closed: Promise<void>
  #received = ''
  #wake = (): void => {}

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1')
      this.#wake()
    })
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.once('close', () => this.#wake())
  }

  get received(): string {
    return this.#received
  }

  send(text: string): void {
    this.socket.write(text, 'latin1')
  }

  /** Everything received, once it contains the text this many times. Fails if the connection ends before. */
  async until(text: string, times = 1): Promise<string> {
    while (this.#received.split(text).length <= times) {
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.#received.slice(0, 500))}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#received
  }

  destroy(): void {
    this.socket.destroy()
  }
}

export function plainClient(port: number): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1', () => resolve(new RawClient(socket)))
    socket.once('error', reject)
  })
}

/** Linux gives a machine all of 127/8, so that a test can use several source addresses. */
export function tlsClient(port: number, protocol = 'http/1.1', localAddress = '127.0.0.1'): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress, rejectUnauthorized: false, ALPNProtocols: [protocol] }
    const socket: TLSSocket = connectTls(options, () => resolve(new RawClient(socket)))
    socket.once('error', reject)
  })
}

export function http2Client(port: number): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  return session
}

export interface Http2Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export function http2Ask(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const authorization = 'Bearer admin-token'
    const stream = session.request({ ':method': method, ':path': path, authorization, ...headers })
    const chunks: Buffer[] = []
    let head: Record<string, unknown> = {}
    stream.on('response', (received) => {
      head = received
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('end', () =>
      resolve({ status: Number(head[':status']), headers: head, text: Buffer.concat(chunks).toString() }),
    )
    stream.end(body)
  })
}
