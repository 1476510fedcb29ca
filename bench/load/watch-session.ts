import { connect, type TLSSocket } from 'node:tls'
import type { Subject } from '../contract.ts'
import { encodeHeaders, startsWithStatus200 } from './hpack.ts'
import {
  clientSettings,
  connectionPreface,
  defaultWindow,
  FrameReader,
  flag,
  frame,
  frameType,
  largestWindow,
  windowUpdate,
} from './http2-frames.ts'

/** `line` is the event itself, for the watcher that wants to see it. */
export type OnEvent = (watcher: number, line: string | undefined) => void

export interface WatchSessionOptions {
  readonly path: string
  /** The number of each watcher, one for each stream. */
  readonly watchers: readonly number[]
  /** The watcher whose events are shown in full. */
  readonly shownWatcher: number
  readonly onEvent: OnEvent
}

const newline = 0x0a
const updateWindowAfter = 2 ** 28

/** Watches as streams of one HTTP/2 connection. Events are counted by their line ends, and hardly inspected. */
export class WatchSession {
  readonly #socket: TLSSocket
  readonly #options: WatchSessionOptions
  readonly #untakenByStream = new Map<number, number>()
  #untaken = 0
  #shown = ''
  #opened = 0
  #onOpened: () => void = () => {}
  #isClosed = false

  private constructor(socket: TLSSocket, subject: Subject, options: WatchSessionOptions) {
    this.#socket = socket
    this.#options = options
    const reader = new FrameReader({
      data: (streamId, chunk, start, end) => this.#data(streamId, chunk, start, end),
      control: (type, flags, streamId, payload) => this.#control(type, flags, streamId, payload),
    })
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
    socket.on('error', (error) => this.#fail(error.message))
    socket.on('close', () => this.#fail('the server closed the connection'))
    socket.write(
      Buffer.concat([...opening(), ...options.watchers.map((_, index) => watchRequest(subject, options.path, index))]),
    )
  }

  /** Resolves when every watch has been answered. */
  static async open(subject: Subject, options: WatchSessionOptions): Promise<WatchSession> {
    const session = new WatchSession(await connected(subject), subject, options)
    await new Promise<void>((resolve) => {
      session.#onOpened = resolve
    })
    return session
  }

  close(): void {
    this.#isClosed = true
    this.#socket.destroy()
  }

  #data(streamId: number, chunk: Buffer, start: number, end: number): void {
    const watcher = this.#options.watchers[(streamId - 1) / 2] ?? -1
    const isShown = watcher === this.#options.shownWatcher
    let from = start
    for (let at = chunk.indexOf(newline, from); at >= 0 && at < end; at = chunk.indexOf(newline, from)) {
      this.#options.onEvent(watcher, isShown ? this.#shown + chunk.toString('utf8', from, at) : undefined)
      if (isShown) this.#shown = ''
      from = at + 1
    }
    if (isShown) this.#shown += chunk.toString('utf8', from, end)
    this.#take(streamId, end - start)
  }

  #take(streamId: number, bytes: number): void {
    this.#untaken += bytes
    const untaken = (this.#untakenByStream.get(streamId) ?? 0) + bytes
    this.#untakenByStream.set(streamId, untaken)
    if (untaken > updateWindowAfter) {
      this.#untakenByStream.set(streamId, 0)
      this.#socket.write(windowUpdate(streamId, untaken))
    }
    if (this.#untaken > updateWindowAfter) {
      this.#socket.write(windowUpdate(0, this.#untaken))
      this.#untaken = 0
    }
  }

  #control(type: number, flags: number, streamId: number, payload: Buffer): void {
    const isAcknowledgment = (flags & flag.acknowledge) !== 0
    if (type === frameType.settings && !isAcknowledgment) {
      this.#socket.write(frame(frameType.settings, flag.acknowledge, 0))
    } else if (type === frameType.ping && !isAcknowledgment) {
      this.#socket.write(frame(frameType.ping, flag.acknowledge, 0, payload))
    } else if (type === frameType.headers) {
      this.#answered(payload)
    } else if (type === frameType.resetStream || type === frameType.goAway) {
      this.#fail(`frame of type ${type} on stream ${streamId}`)
    }
  }

  #answered(headerBlock: Buffer): void {
    if (!startsWithStatus200(headerBlock)) this.#fail('a watch was refused, or ended')
    this.#opened += 1
    if (this.#opened === this.#options.watchers.length) this.#onOpened()
  }

  #fail(reason: string): void {
    if (!this.#isClosed) throw new Error(`watches broke off: ${reason}`)
  }
}

function connected({ host, port, authority: ca }: Subject): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ca, ALPNProtocols: ['h2'] }, () => {
      socket.setNoDelay(true)
      resolve(socket.off('error', reject))
    })
    socket.once('error', reject)
  })
}

function opening(): readonly Buffer[] {
  return [connectionPreface, clientSettings(), windowUpdate(0, largestWindow - defaultWindow)]
}

function watchRequest(subject: Subject, path: string, index: number): Buffer {
  const headers = encodeHeaders([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', `${subject.host}:${subject.port}`],
    [':path', path],
    ['authorization', `Bearer ${subject.token}`],
    ['user-agent', 'bench/1'],
    ['accept', 'application/json'],
  ])
  return frame(frameType.headers, flag.endStream | flag.endHeaders, index * 2 + 1, headers)
}
