import { createServer } from 'node:net'

const first = 15_000
const count = 15_000

/**
 * A loopback port that nobody listens on at the moment. It lies below the range from which the system takes ports for
 * outgoing connections: one of those could otherwise occupy it before the server under test does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
