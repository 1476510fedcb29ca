import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import {
  type Endpoint,
  headersOf,
  lineReader,
  patienceMs,
  type Reply,
  type Request,
  type StreamEnd,
  type StreamRequest,
  type Transport,
} from './transport.ts'

/** HTTP/2 by Node's own client; requests and streams share the connection. */
export class Http2Transport implements Transport {
  readonly #endpoint: Endpoint
  #session: ClientHttp2Session | undefined

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  async ask(request: Request): Promise<Reply> {
    const session = await this.#openSession()
    if (session === undefined || session.destroyed || session.closed) return { is: 'not sent' }
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const headers = { ...headersOf(this.#endpoint, request), ':method': request.method, ':path': request.path }
    const stream = session.request(headers, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    const reply = await readReply(stream)
    if (reply.is === 'lost') this.close()
    return reply
  }

  async stream({ path, signal, onLine }: StreamRequest): Promise<StreamEnd> {
    const session = await this.#openSession()
    if (session === undefined || session.destroyed || session.closed || signal.aborted) return { is: 'ended' }
    const headers = { ...headersOf(this.#endpoint, { method: 'GET', path }), ':path': path }
    const stream = session.request(headers)
    const stop = () => stream.close()
    const silence = setTimeout(() => this.close(), patienceMs)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await readStream(stream, onLine, () => clearTimeout(silence))
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
    }
  }

  close(): void {
    this.#session?.destroy()
    this.#session = undefined
  }

  /** Undefined if there is no connection within the time. */
  #openSession(): Promise<ClientHttp2Session | undefined> {
    if (this.#session !== undefined && !this.#session.destroyed && !this.#session.closed) {
      return Promise.resolve(this.#session)
    }
    const { port, authority } = this.#endpoint
    const session = connect(`https://127.0.0.1:${port}`, { ca: authority })
    this.#session = session
    return new Promise((resolve) => {
      const late = setTimeout(() => session.destroy(), patienceMs)
      session.on('error', () => {})
      session.once('connect', () => {
        clearTimeout(late)
        resolve(session)
      })
      session.once('close', () => {
        clearTimeout(late)
        resolve(undefined)
      })
    })
  }
}

function readReply(stream: ClientHttp2Stream): Promise<Reply> {
  return new Promise((resolve) => {
    let status = 0
    let text = ''
    let isWhole = false
    const late = setTimeout(() => stream.destroy(), patienceMs)
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream.on('data', (part: string) => {
      text += part
    })
    stream.on('end', () => {
      isWhole = status !== 0 && !stream.aborted && stream.rstCode === 0
    })
    stream.on('error', () => {
      isWhole = false
    })
    stream.on('close', () => {
      clearTimeout(late)
      resolve(isWhole ? { is: 'answer', status, text } : { is: 'lost' })
    })
  })
}

function readStream(stream: ClientHttp2Stream, onLine: (line: string) => void, begun: () => void): Promise<StreamEnd> {
  return new Promise((resolve) => {
    let status = 0
    let text = ''
    const read = lineReader(onLine)
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      status = Number(headers[':status'])
      begun()
    })
    stream.on('data', (part: string) => {
      if (status === 200) read(part)
      else text += part
    })
    stream.on('error', () => {})
    stream.on('close', () =>
      resolve(status === 200 || status === 0 ? { is: 'ended' } : { is: 'refused', status, text }),
    )
  })
}
