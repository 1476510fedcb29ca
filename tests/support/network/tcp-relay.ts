import { connect, createServer, type Server, type Socket } from 'node:net'

export interface TcpRelay {
  readonly address: string
  /** Drops every connection and refuses new ones. */
  cut(): Promise<void>
  /** Serves again, on the same port. */
  restore(): Promise<void>
  /** Forwards the next request that contains the text, and drops the connection instead of returning its answer. */
  loseAnswerTo(text: string): void
}

/**
 * The longest data that HTTP/2 may send about the connection itself before the answer: a ping and windows. An answer of
 * etcd is longer.
 */
const longestBesideAnswer = 48

/** Stands between a client and a server on loopback and makes the network fail on demand. */
export async function startRelay(targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let awaited: string | undefined
  let lostBytes: number | undefined
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    client.on('data', (chunk) => {
      if (awaited !== undefined && chunk.includes(awaited)) lostBytes = 0
    })
    client.pipe(target)
    target.on('data', (chunk) => {
      if (lostBytes === undefined) {
        client.write(chunk)
        return
      }
      lostBytes += chunk.length
      if (lostBytes > longestBesideAnswer) client.destroy()
    })
  })
  const port = await listen(server, 0)
  return {
    address: `http://127.0.0.1:${port}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async restore() {
      awaited = undefined
      lostBytes = undefined
      await listen(server, port)
    },
    loseAnswerTo(text) {
      awaited = text
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port was given'))
      else resolve(address.port)
    })
  })
}
