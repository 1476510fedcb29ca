import { STATUS_CODES } from 'node:http'
import type { Output } from '../http.ts'
import type { Channel } from './channel.ts'
import type { SocketWriter } from './deferred-writes.ts'

export interface PlainChannelContext {
  readonly isClosing: () => boolean
  /** The Date header's value. */
  readonly date: () => string
}

/** A body up to this size is copied behind its head, so that both go out in one write. */
const maxCopiedBytes = 16 * 1024

/** Writes one answer to a socket. `onOver` is called when the next one may follow. */
export class PlainChannel implements Channel {
  readonly #writer: SocketWriter
  readonly #context: PlainChannelContext
  readonly #onOver: () => void

  constructor(writer: SocketWriter, context: PlainChannelContext, onOver: () => void) {
    this.#writer = writer
    this.#context = context
    this.#onOver = onOver
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    const head = this.#head(status, headers)
    if (body === undefined) {
      this.#writer.writeLater(Buffer.from(head, 'latin1'))
    } else if (body.length <= maxCopiedBytes) {
      this.#writer.writeLater(joined(head, body))
    } else {
      this.#writer.writeLater(Buffer.from(head, 'latin1'))
      this.#writer.write(body)
    }
    this.#over()
  }

  open(status: number, headers: string[]): Output {
    const isMeasured = headers.includes('Content-Length')
    if (!isMeasured) headers.push('Transfer-Encoding', 'chunked')
    this.#writer.write(Buffer.from(this.#head(status, headers), 'latin1'))
    return new PlainOutput(this.#writer, isMeasured, () => this.#over())
  }

  #head(status: number, headers: string[]): string {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
    for (let index = 0; index + 1 < headers.length; index += 2)
      head += `${headers[index]}: ${onOneLine(headers[index + 1])}\r\n`
    if (this.#context.isClosing()) head += 'Connection: close\r\n'
    return `${head}Date: ${this.#context.date()}\r\n\r\n`
  }

  #over(): void {
    if (this.#context.isClosing()) this.#writer.end()
    this.#onOver()
  }
}

/** Node refuses such a value; here nothing stands between a value and the wire. */
function onOneLine(value = ''): string {
  return value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]+/g, ' ') : value
}

function joined(head: string, body: Buffer): Buffer {
  const all = Buffer.allocUnsafe(head.length + body.length)
  all.write(head, 'latin1')
  all.set(body, head.length)
  return all
}

/** A body that follows its head bit by bit: as it is when its length was told, in chunks otherwise. */
class PlainOutput implements Output {
  readonly #writer: SocketWriter
  readonly #isMeasured: boolean
  readonly #onOver: () => void

  constructor(writer: SocketWriter, isMeasured: boolean, onOver: () => void) {
    this.#writer = writer
    this.#isMeasured = isMeasured
    this.#onOver = onOver
  }

  write(chunk: Buffer): boolean {
    if (chunk.length === 0) return true
    return this.#writer.write(this.#isMeasured ? chunk : framed(chunk))
  }

  drained(): Promise<void> {
    const { socket } = this.#writer
    if (socket.destroyed || !socket.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        socket.off('drain', settle).off('close', settle)
        resolve()
      }
      socket.on('drain', settle).on('close', settle)
    })
  }

  end(): void {
    if (!this.#isMeasured) this.#writer.write(lastFrame)
    this.#onOver()
  }

  destroy(): void {
    this.#writer.socket.destroy()
    this.#onOver()
  }
}

const lastFrame = Buffer.from('0\r\n\r\n')
const frames = new WeakMap<Buffer, Buffer>()

/** Watchers are sent the same buffer: its frame is made once for all of them. */
function framed(chunk: Buffer): Buffer {
  const known = frames.get(chunk)
  if (known !== undefined) return known
  const size = chunk.length.toString(16)
  const frame = Buffer.allocUnsafeSlow(size.length + chunk.length + 4)
  frame.write(`${size}\r\n`, 'latin1')
  frame.set(chunk, size.length + 2)
  frame.write('\r\n', size.length + 2 + chunk.length, 'latin1')
  frames.set(chunk, frame)
  return frame
}
