import { connect, type TLSSocket } from 'node:tls'
import type { Subject } from '../contract.ts'
import { AnswerReader } from './answer-reader.ts'

export type OnAnswer = (answer: AnswerReader) => void

/**
 * One keep-alive connection with one request at a time. It uses a bare TLS socket and prepared bytes, because the load
 * generator must cost less than the server it measures.
 */
export class Http1Connection {
  readonly #socket: TLSSocket
  readonly #reader: AnswerReader
  #onAnswer: OnAnswer | undefined
  #failure: Error | undefined

  private constructor(socket: TLSSocket, keepsBody: boolean) {
    this.#socket = socket
    this.#reader = new AnswerReader({ keepsBody })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  static open(subject: Subject, options: { readonly keepsBody: boolean }): Promise<Http1Connection> {
    const { host, port, authority: ca } = subject
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, ca, ALPNProtocols: ['http/1.1'] }, () => {
        socket.setNoDelay(true)
        socket.off('error', reject)
        resolve(new Http1Connection(socket, options.keepsBody))
      })
      socket.once('error', reject)
    })
  }

  /** The answer is valid only during the call. */
  send(request: Buffer, onAnswer: OnAnswer): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#onAnswer = onAnswer
    this.#socket.write(request)
  }

  request(request: Buffer): Promise<{ readonly status: number; readonly body: string }> {
    return new Promise((resolve) => {
      this.send(request, (answer) => resolve({ status: answer.status, body: answer.body() }))
    })
  }

  close(): void {
    this.#onAnswer = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    if (!this.#reader.push(chunk)) return
    const onAnswer = this.#onAnswer
    this.#onAnswer = undefined
    onAnswer?.(this.#reader)
    // The answer to the next request, if one was just sent, cannot have arrived yet.
    this.#reader.reset()
  }

  /** Without a pending request the connection is just closing. With one the measurement is invalid, so it ends. */
  #fail(error: Error): void {
    this.#failure ??= error
    if (this.#onAnswer !== undefined) throw error
  }
}

export function requestBytes(
  subject: Subject,
  method: string,
  path: string,
  body = '',
  type = 'application/json',
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${subject.host}:${subject.port}`,
    `Authorization: Bearer ${subject.token}`,
    'User-Agent: bench/1',
    'Accept: application/json',
    ...(body === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
