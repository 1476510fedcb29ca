import type { IncomingMessage } from 'node:http'
import { request as nodeRequest } from 'node:https'
import { Client } from 'undici'
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

/** HTTP/1.1: undici for requests, Node's own client for streams. */
export class Http1Transport implements Transport {
  readonly #endpoint: Endpoint
  #client: Client | undefined
  #connections = 0
  #isConnected = false

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  async ask(request: Request): Promise<Reply> {
    const client = this.#openClient()
    const connectionsBefore = this.#connections
    const wasConnected = this.#isConnected
    try {
      const response = await client.request({
        method: request.method,
        path: request.path,
        headers: headersOf(this.#endpoint, request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: AbortSignal.timeout(patienceMs),
      })
      return { is: 'answer', status: response.statusCode, text: await response.body.text() }
    } catch {
      this.close()
      return { is: wasConnected || this.#connections > connectionsBefore ? 'lost' : 'not sent' }
    }
  }

  stream({ path, signal, onLine }: StreamRequest): Promise<StreamEnd> {
    const { port, authority } = this.#endpoint
    const headers = headersOf(this.#endpoint, { method: 'GET', path })
    const sent = nodeRequest({ host: '127.0.0.1', port, ca: authority, path, headers, agent: false })
    const stop = () => sent.destroy()
    const silence = setTimeout(stop, patienceMs)
    signal.addEventListener('abort', stop, { once: true })
    return new Promise((resolve) => {
      let answer: IncomingMessage | undefined
      sent.on('response', (response) => {
        clearTimeout(silence)
        answer = response
        void readAnswer(response, onLine).then(resolve)
      })
      sent.on('error', () => {})
      sent.on('close', () => {
        clearTimeout(silence)
        signal.removeEventListener('abort', stop)
        if (answer === undefined) resolve({ is: 'ended' })
      })
      sent.end()
    })
  }

  close(): void {
    void this.#client?.destroy().catch(() => {})
    this.#client = undefined
    this.#isConnected = false
  }

  #openClient(): Client {
    if (this.#client !== undefined) return this.#client
    const { port, authority } = this.#endpoint
    const client = new Client(`https://127.0.0.1:${port}`, { connect: { ca: authority, timeout: patienceMs } })
    client.on('connect', () => {
      this.#connections += 1
      this.#isConnected = true
    })
    this.#client = client
    return client
  }
}

function readAnswer(answer: IncomingMessage, onLine: (line: string) => void): Promise<StreamEnd> {
  const status = answer.statusCode ?? 0
  const read = lineReader(onLine)
  let text = ''
  answer.setEncoding('utf8').on('data', (part: string) => {
    if (status === 200) read(part)
    else text += part
  })
  answer.on('error', () => {})
  return new Promise((resolve) => {
    answer.on('close', () => resolve(status === 200 ? { is: 'ended' } : { is: 'refused', status, text }))
  })
}
