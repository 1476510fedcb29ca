import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from 'node:dgram'
import { createServer, isIP, type Server, type Socket } from 'node:net'
import { parseIP } from '../api/core/ip-address.ts'
import { type Clock, monotonicClock } from '../base/clock.ts'
import { LeakyBuckets } from '../base/leaky-buckets.ts'
import type { Log } from '../base/log.ts'
import { rememberingRecent } from '../base/recent.ts'
import { isInner } from './address.ts'
import type { Responder } from './responder.ts'
import { TcpMessages, withLength } from './tcp-messages.ts'
import { largestQuery } from './wire.ts'

const mostClients = 10_000
const mostConnections = 200
const mostConnectionsPerClient = 20
const idleMs = 10_000
const mostUnanswered = 20
const largestMessage = 65_535

export interface DnsServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly responder: Pick<Responder, 'reply'>
  /** Of each client, in the long run; more of them are not answered. */
  readonly mostPerSecond?: number
  readonly clock?: Clock
  readonly log: Log
}

export interface RunningDns {
  readonly port: number
  stop(): Promise<void>
}

/** Answers by UDP and TCP at the same port. */
export async function startDnsServer(options: DnsServerOptions): Promise<RunningDns> {
  const clients = new DnsClients(options)
  const server = await listening(options.host, options.port, (socket) => serveConnection(socket, options, clients))
  const { port } = server.address() as { readonly port: number }
  try {
    const socket = await bound(options.host, port, options.log)
    socket.on('message', (bytes, from) => serveDatagram(socket, bytes, from, options, clients))
    return { port, stop: () => stopBoth(server, socket, clients) }
  } catch (error) {
    server.close()
    throw error
  }
}

/** Who asks, and how often. Only addresses of inner networks are answered: this is no server for the world. */
class DnsClients {
  readonly connections = new Map<Socket, string>()
  readonly #buckets: LeakyBuckets
  readonly #isInner = rememberingRecent(mostClients, (address) => {
    const parsed = parseIP(address)
    return parsed !== undefined && isInner(parsed)
  })

  constructor({ mostPerSecond = 2_000, clock = monotonicClock }: DnsServerOptions) {
    const refillMs = 1_000 / mostPerSecond
    this.#buckets = new LeakyBuckets({ clock, burst: mostPerSecond * 2, refillMs, most: mostClients })
  }

  mayAsk(address: string): boolean {
    return this.#isInner(address) && this.#buckets.add(address) === 0
  }

  mayConnect(address: string): boolean {
    if (!this.#isInner(address) || this.connections.size >= mostConnections) return false
    const own = [...this.connections.values()].filter((each) => each === address)
    return own.length < mostConnectionsPerClient
  }
}

function serveDatagram(
  socket: DatagramSocket,
  bytes: Buffer,
  { address, port }: RemoteInfo,
  { responder, log }: DnsServerOptions,
  clients: DnsClients,
): void {
  // A datagram may name no port to reply to.
  if (port === 0 || !clients.mayAsk(address)) return
  const send = (reply: Buffer) => socket.send(reply, port, address)
  const failed = (error: unknown) => log.warn('a name could not be looked up', { error })
  try {
    const reply = responder.reply(bytes, { client: address })
    if (reply instanceof Promise) reply.then(send).catch(failed)
    else if (reply !== undefined) send(reply)
  } catch (error) {
    failed(error)
  }
}

function serveConnection(socket: Socket, { responder, log }: DnsServerOptions, clients: DnsClients): void {
  const address = socket.remoteAddress ?? ''
  if (!clients.mayConnect(address)) {
    socket.destroy()
    return
  }
  clients.connections.set(socket, address)
  socket.on('close', () => clients.connections.delete(socket))
  socket.on('error', () => socket.destroy())
  socket.setTimeout(idleMs, () => socket.destroy())
  const messages = new TcpMessages(largestQuery)
  let unanswered = 0
  const answer = async (bytes: Buffer) => {
    unanswered++
    try {
      const reply = await responder.reply(bytes, { client: address, mostBytes: largestMessage })
      if (reply !== undefined && !socket.destroyed) socket.write(withLength(reply))
    } catch (error) {
      log.warn('a name could not be looked up', { error })
    }
    unanswered--
  }
  socket.on('data', (bytes) => {
    const asked = messages.add(bytes)
    // One that does not read its replies, or asks too much, has itself to blame.
    const isTooMuch = asked === undefined || unanswered + asked.length > mostUnanswered || socket.writableNeedDrain
    if (isTooMuch || !asked.every(() => clients.mayAsk(address))) socket.destroy()
    else for (const message of asked) void answer(message)
  })
}

function listening(host: string, port: number, serve: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(serve)
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', () => {})
      resolve(server)
    })
  })
}

function bound(host: string, port: number, log: Log): Promise<DatagramSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', recvBufferSize: 1 << 20 })
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.off('error', reject)
      socket.on('error', (error) => log.warn('the DNS server has a failure', { error }))
      resolve(socket)
    })
  })
}

async function stopBoth(server: Server, socket: DatagramSocket, { connections }: DnsClients): Promise<void> {
  for (const connection of connections.keys()) connection.destroy()
  await Promise.all([
    new Promise<void>((resolve) => server.close(() => resolve())),
    new Promise<void>((resolve) => socket.close(() => resolve())),
  ])
}
