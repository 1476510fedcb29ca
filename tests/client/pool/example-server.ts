import { connect, createServer, type Server, type Socket } from 'node:net'
import { ConnectionPool, type PoolOptions } from '../../../src/client/pool/connection-pool.ts'

/** A request as it was received, and its connection. */
export interface HeardRequest {
  readonly text: string
  readonly socket: Socket
  /** 1 for the first request to this server. */
  readonly number: number
}

export interface ExampleServer {
  readonly port: number
  readonly heard: readonly HeardRequest[]
  /** Every connection that was ever made. */
  readonly connections: readonly Socket[]
  /** Opens connections to it, and keeps the clients' ends. */
  opening(): { readonly open: () => Promise<Socket>; readonly sockets: readonly Socket[] }
  /** A pool of connections to it. */
  pool(options?: Partial<PoolOptions>): ConnectionPool
  stop(): Promise<void>
}

/** A server that writes chosen bytes to its sockets. */
export async function startExampleServer(onRequest: (heard: HeardRequest) => void): Promise<ExampleServer> {
  const heard: HeardRequest[] = []
  const connections: Socket[] = []
  const pools: ConnectionPool[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.push(socket)
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    onWholeRequests(socket, (text) => {
      const request = { text, socket, number: heard.length + 1 }
      heard.push(request)
      onRequest(request)
    })
  })
  const port = await listening(server)
  const opening = () => {
    const sockets: Socket[] = []
    const open = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject)
        sockets.push(socket)
      })
    return { open, sockets }
  }
  return {
    port,
    heard,
    connections,
    opening,
    pool: (options) => {
      const limits = { origin: 'http://example', answerTimeoutMs: 60_000, keepAliveMs: 60_000, most: 4 }
      const pool = new ConnectionPool({ ...limits, open: opening().open, ...options })
      pools.push(pool)
      return pool
    },
    stop: () => {
      for (const pool of pools) pool.destroy()
      for (const socket of connections) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
}

function onWholeRequests(socket: Socket, give: (text: string) => void): void {
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
    for (let length = lengthOfFirst(text); length > 0; length = lengthOfFirst(text)) {
      give(text.slice(0, length))
      text = text.slice(length)
    }
  })
}

/** 0 if the request is incomplete. */
function lengthOfFirst(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const length = headEnd + 4 + Number(/content-length: (\d+)/.exec(text.slice(0, headEnd))?.[1] ?? 0)
  return text.length < length ? 0 : length
}

export function answerText(body: string, ...fields: readonly string[]): string {
  const head = ['HTTP/1.1 200 OK', `content-length: ${Buffer.byteLength(body)}`, ...fields]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
