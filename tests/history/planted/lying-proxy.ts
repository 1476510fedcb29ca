import { readFileSync } from 'node:fs'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { Agent, request as send } from 'node:https'
import { makeCertificates } from '../../support/certificates.ts'
import type { Endpoint } from '../drive/transport.ts'

/** Changes of the proxy to the answers of an honest server. */
export type Lie =
  | 'answers a GET from its memory'
  | 'leaves an object out of a list'
  | 'sends a PATCH again later'
  | 'tells an event twice'
  | 'leaves an event out'

export interface LyingProxy {
  readonly endpoint: Endpoint
  remove(): Promise<void>
}

export interface LyingProxyOptions {
  readonly lie: Lie
  readonly target: Endpoint
  /** The directory of its certificate. */
  readonly directory: string
}

/** It lies about every third candidate. */
const everySo = 3

/** Stands between clients and an API server, speaks HTTP/1.1 and HTTP/2, and forwards everything except one lie. */
export async function startLyingProxy({ lie, target, directory }: LyingProxyOptions): Promise<LyingProxy> {
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'proxy')
  const agent = new Agent({ keepAlive: true, ca: target.authority })
  const liar = new Liar(lie, target.port, agent)
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile), allowHTTP1: true }
  const server = createSecureServer(tls, (incoming, outgoing) => void liar.serve(incoming, outgoing))
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    endpoint: { ...target, port, authority: readFileSync(caFile, 'utf8') },
    remove: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await closed
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

class Liar {
  readonly #lie: Lie
  readonly #port: number
  readonly #agent: Agent
  /** The first answer for each URL. */
  readonly #remembered = new Map<string, Answer>()
  /** Requests to be sent again, by URL. */
  readonly #again = new Map<string, () => Promise<Answer>>()
  #occasions = 0

  constructor(lie: Lie, port: number, agent: Agent) {
    this.#lie = lie
    this.#port = port
    this.#agent = agent
  }

  async serve(incoming: Http2ServerRequest, outgoing: Http2ServerResponse): Promise<void> {
    try {
      if (incoming.url.includes('watch=true')) this.#passStream(incoming, outgoing)
      else this.#write(outgoing, await this.#answer(incoming, await textOf(incoming)))
    } catch {
      outgoing.stream?.destroy()
      incoming.socket.destroy()
    }
  }

  async #answer(incoming: Http2ServerRequest, body: string): Promise<Answer> {
    const { method, url } = incoming
    const isPlainGet = method === 'GET' && /configmaps\/[^?]+$/.test(url)
    const remembered = this.#remembered.get(url)
    if (remembered !== undefined && isPlainGet && this.#lies('answers a GET from its memory')) return remembered
    const answer = await this.#forward(incoming, body)
    if (isPlainGet && remembered === undefined) this.#remembered.set(url, answer)
    if (method !== 'GET' && answer.status < 300) await this.#repeat(incoming, body)
    const isList = method === 'GET' && /configmaps(\?|$)/.test(url) && answer.status === 200
    return isList && this.#lies('leaves an object out of a list') ? withoutFirstItem(answer) : answer
  }

  /** Repeats the write once another write came in between; right away it would change nothing. */
  async #repeat(incoming: Http2ServerRequest, body: string): Promise<void> {
    const { method, url } = incoming
    const again = this.#again.get(url)
    this.#again.delete(url)
    await again?.()
    const isUnconditional = method === 'PATCH' && !body.includes('resourceVersion')
    if (isUnconditional && this.#lies('sends a PATCH again later')) {
      this.#again.set(url, () => this.#forward(incoming, body))
    }
  }

  #forward({ method, url, headers }: Http2ServerRequest, body: string): Promise<Answer> {
    const { authorization = '', 'content-type': type = 'application/json' } = headers
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path: url }
      const sent = send({ ...options, headers: { authorization, 'content-type': type } }, async (answer) => {
        resolve({ status: answer.statusCode ?? 502, text: await textOf(answer) })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  #write(outgoing: Http2ServerResponse, { status, text }: Answer): void {
    outgoing.writeHead(status, { 'content-type': 'application/json' })
    outgoing.end(text)
  }

  #passStream({ url, headers }: Http2ServerRequest, outgoing: Http2ServerResponse): void {
    const { authorization = '' } = headers
    const sent = send(
      {
        host: '127.0.0.1',
        port: this.#port,
        agent: false,
        ca: this.#agent.options.ca,
        path: url,
        headers: { authorization },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
        let rest = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          const lines = (rest + part).split('\n')
          rest = lines.pop() ?? ''
          const told = lines.map((line) => this.#lineOf(line)).join('')
          if (told !== '') outgoing.write(told)
        })
        answer.on('error', () => {})
        answer.on('close', () => outgoing.end())
      },
    )
    sent.on('error', () => outgoing.end())
    outgoing.on('close', () => sent.destroy())
    sent.end()
  }

  #lineOf(line: string): string {
    // Without the round's last write, the round would wait for a watch in vain.
    if (['kube-root-ca.crt', '"BOOKMARK"', '"name":"end-'].some((text) => line.includes(text))) return `${line}\n`
    if (this.#lies('tells an event twice')) return `${line}\n${line}\n`
    return this.#lies('leaves an event out') ? '' : `${line}\n`
  }

  /** Counted, so that it certainly lies. */
  #lies(lie: Lie): boolean {
    if (this.#lie !== lie) return false
    this.#occasions += 1
    return this.#occasions % everySo === 0
  }
}

function withoutFirstItem({ status, text }: Answer): Answer {
  const list: { items: { metadata: { name: string } }[] } = JSON.parse(text)
  const index = list.items.findIndex(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
  if (index >= 0) list.items.splice(index, 1)
  return { status, text: JSON.stringify(list) }
}

async function textOf(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part.toString()
  return text
}
