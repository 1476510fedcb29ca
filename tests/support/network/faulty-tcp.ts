import { connect, createServer, type Server, type Socket } from 'node:net'

/** The current behavior of the network. */
export type Weather =
  | { readonly kind: 'fine' }
  /** Every piece of data is delayed by this time. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Nothing gets through, and neither side is notified. */
  | { readonly kind: 'stalled' }
  /** The servers' ends are closed, the clients' stay open and silent; they are closed when the weather changes. */
  | { readonly kind: 'half-open' }
  /** The port is closed. */
  | { readonly kind: 'cut' }

export interface FaultyTcp {
  readonly port: number
  set(weather: Weather): Promise<void>
  /** Ends open connections; new connections behave according to the weather. */
  drop(): void
  remove(): Promise<void>
}

interface Connection {
  readonly client: Socket
  readonly target: Socket
}

/** Stands between a client and a server on loopback, below TLS. */
export async function startFaultyTcp(targetPort: number): Promise<FaultyTcp> {
  const connections = new Set<Connection>()
  let weather: Weather = { kind: 'fine' }
  const server = createServer((client) => {
    const connection = { client, target: connect(targetPort, '127.0.0.1') }
    connections.add(connection)
    join(
      connection,
      () => weather,
      () => connections.delete(connection),
    )
    apply(weather, connection)
  })
  const drop = () => {
    for (const { client, target } of connections) {
      client.destroy()
      target.destroy()
    }
  }
  const port = await listen(server, 0)
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    drop()
    await closed
  }
  return {
    port,
    drop,
    async set(next) {
      const previous = weather
      weather = next
      if (previous.kind === 'half-open') drop()
      if (next.kind === 'cut' && previous.kind !== 'cut') await close()
      if (next.kind !== 'cut' && previous.kind === 'cut') await listen(server, port)
      for (const connection of connections) apply(next, connection)
    },
    remove: () => (weather.kind === 'cut' ? Promise.resolve() : close()),
  }
}

function join(connection: Connection, weather: () => Weather, ended: () => void): void {
  const { client, target } = connection
  pump(client, target, weather)
  pump(target, client, weather)
  client.on('close', () => {
    target.destroy()
    ended()
  })
  target.on('close', () => {
    if (weather().kind !== 'half-open') client.destroy()
  })
  for (const socket of [client, target]) socket.on('error', () => socket.destroy())
}

/** Held data stays in order: data that arrives when the weather is fine again waits behind it. */
function pump(from: Socket, to: Socket, weather: () => Weather): void {
  let held: Buffer[] = []
  const release = () => {
    for (const data of held) to.write(data)
    held = []
    if (weather().kind !== 'stalled') from.resume()
  }
  from.setNoDelay(true)
  from.on('data', (data) => {
    const now = weather()
    if (now.kind !== 'slow' && held.length === 0) return void to.write(data)
    held.push(data)
    if (now.kind !== 'slow' || held.length > 1) return
    from.pause()
    setTimeout(release, now.delayMs)
  })
}

function apply(weather: Weather, { client, target }: Connection): void {
  const isStill = weather.kind === 'stalled'
  for (const socket of [client, target]) isStill ? socket.pause() : socket.resume()
  if (weather.kind === 'half-open') target.destroy()
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port was given'))
      else resolve(address.port)
    })
  })
}
