import { connect, type TLSSocket } from 'node:tls'
import { drainOf } from '../../../../src/server/transport/drain.ts'
import { type Frame, framesIn, preface, settings } from './frames.ts'

/** An HTTP/2 client that sends arbitrary frames and answers nothing automatically. */
export class RawHttp2 {
  readonly socket: TLSSocket
  readonly closed: Promise<void>
  #received: Buffer[] = []
  #wake = (): void => {}

  constructor(socket: TLSSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      this.#received.push(chunk)
      this.#wake()
    })
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.once('close', () => this.#wake())
  }

  get frames(): readonly Frame[] {
    const all = Buffer.concat(this.#received)
    this.#received = [all]
    return framesIn(all)
  }

  /** Returns false if the server is behind, or has disconnected. */
  send(...bytes: readonly Buffer[]): boolean {
    return !this.socket.destroyed && this.socket.write(Buffer.concat(bytes))
  }

  /** Sends when the server can receive. Returns false if the server has disconnected. */
  async sendAll(bytes: Buffer): Promise<boolean> {
    if (this.socket.destroyed) return false
    if (this.socket.write(bytes)) return true
    await drainOf(this.socket)
    return !this.socket.destroyed
  }

  /** The first matching frame from the server. Undefined if the connection ended without it. */
  async until(isLookedFor: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.frames.find(isLookedFor)
      if (found !== undefined || this.socket.destroyed) return found
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** `opening` is sent first; by default, the usual opening. */
export function rawHttp2(port: number, opening: Buffer = Buffer.concat([preface, settings()])): Promise<RawHttp2> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] }
    const socket = connect(options, () => {
      const client = new RawHttp2(socket)
      client.send(opening)
      resolve(client)
    })
    socket.once('error', reject)
  })
}
