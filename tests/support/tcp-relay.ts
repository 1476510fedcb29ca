import { connect, createServer, type Server, type Socket } from 'node:net'

export interface TcpRelay {
  readonly address: string
  /** Drops every connection and refuses new ones. */
  cut(): Promise<void>
  /** Serves again, on the same port. */
  restore(): Promise<void>
  /** Passes requests on and drops the connection instead of passing the next answer back. */
  loseNextAnswer(): void
}

/** Stands between a client and a server on loopback and makes the network fail on demand. */
export async function startRelay(targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let isLosing = false
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
    client.pipe(target)
    target.on('data', (chunk) => {
      if (isLosing) client.destroy()
      else client.write(chunk)
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
      isLosing = false
      await listen(server, port)
    },
    loseNextAnswer() {
      isLosing = true
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
