import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from 'node:dgram'
import { createServer, isIP, type Server, type Socket } from 'node:net'
import { type Clock, monotonicClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { DnsClients } from './dns-clients.ts'
import type { Responder } from './responder.ts'
import { TcpMessages, withLength } from './tcp-messages.ts'
import { largestQuery } from './wire.ts'

const usualQuestionMs = 10_000
const usualPerSecond = 2_000
const mostUnanswered = 20
const largestMessage = 65_535

export interface DnsServerOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly responder: Pick<Responder, 'reply'>
  /** Sustained limit per client; further questions are not answered. */
  readonly mostPerSecond?: number
  readonly clock?: Clock
  /** Time for a whole question over a connection, however many pieces it arrives in. */
  readonly questionMs?: number
  readonly log: Log
}

export interface RunningDns {
  readonly port: number
  stop(): Promise<void>
}

/** Answers by UDP and TCP on the same port. */
export async function startDnsServer(options: DnsServerOptions): Promise<RunningDns> {
  const { mostPerSecond = usualPerSecond, clock = monotonicClock } = options
  const clients = new DnsClients({ mostPerSecond, clock })
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

function serveDatagram(
  socket: DatagramSocket,
  bytes: Buffer,
  { address, port }: RemoteInfo,
  { responder, log }: DnsServerOptions,
  clients: DnsClients,
): void {
  // A datagram may name no port to reply to.
  if (port === 0 || !clients.mayAsk(address)) return
  const send = (reply: Buffer) => {
    clients.replied(address, reply)
    // An unreachable client is its own problem, and not worth a log line per datagram.
    socket.send(reply, port, address, () => {})
  }
  const failed = (error: unknown) => log.warn('a name could not be looked up', { error })
  try {
    const reply = responder.reply(bytes, { client: address })
    if (reply instanceof Promise) {
      clients.askedElsewhere(address)
      reply.then(send).catch(failed)
    } else if (reply !== undefined) send(reply)
  } catch (error) {
    failed(error)
  }
}

function serveConnection(
  socket: Socket,
  { responder, questionMs = usualQuestionMs, log }: DnsServerOptions,
  clients: DnsClients,
): void {
  const address = socket.remoteAddress ?? ''
  socket.on('error', () => socket.destroy())
  if (!clients.connect(address, socket)) {
    socket.destroy()
    return
  }
  const late = setTimeout(() => socket.destroy(), questionMs)
  socket.on('close', () => {
    clearTimeout(late)
    clients.disconnect(address, socket)
  })
  const messages = new TcpMessages(largestQuery)
  let unanswered = 0
  const answer = async (bytes: Buffer) => {
    unanswered++
    try {
      const asked = responder.reply(bytes, { client: address, mostBytes: largestMessage })
      if (asked instanceof Promise) clients.askedElsewhere(address)
      const reply = await asked
      if (reply === undefined || socket.destroyed) return
      clients.replied(address, reply)
      socket.write(withLength(reply))
    } catch (error) {
      log.warn('a name could not be looked up', { error })
    } finally {
      unanswered--
    }
  }
  socket.on('data', (bytes) => {
    const asked = messages.add(bytes)
    // A client that does not read its replies, or asks too much, is disconnected.
    const isTooMuch = asked === undefined || unanswered + asked.length > mostUnanswered || socket.writableNeedDrain
    if (isTooMuch || !asked.every(() => clients.mayAsk(address))) {
      socket.destroy()
      return
    }
    if (asked.length === 0) return
    late.refresh()
    clients.used(address, socket)
    for (const message of asked) void answer(message)
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

async function stopBoth(server: Server, socket: DatagramSocket, clients: DnsClients): Promise<void> {
  clients.endAll()
  await Promise.all([
    new Promise<void>((resolve) => server.close(() => resolve())),
    new Promise<void>((resolve) => socket.close(() => resolve())),
  ])
}
