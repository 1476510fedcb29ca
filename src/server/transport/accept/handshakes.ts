import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { CertificateRequests } from './certificate-requests.ts'
import { ConnectionCounts } from './connection-counts.ts'

/**
 * Limit for one network: each handshake may bring a chain that takes long to verify before the first is known to be
 * long.
 */
const mostAskedAtATime = 16

/** Handshakes under way: which of them ask for a certificate, and the result of those that did. */
export class Handshakes {
  readonly #requests: CertificateRequests
  readonly #asked = new Map<string, Socket>()
  readonly #counts = new ConnectionCounts()

  constructor(requests: CertificateRequests) {
    this.#requests = requests
  }

  /** Returns whether to ask the client for a certificate. */
  begin(socket: Socket): boolean {
    const { remoteAddress = '' } = socket
    if (this.#counts.from(remoteAddress) >= mostAskedAtATime || !this.#requests.isAsked(remoteAddress)) return false
    const name = nameOf(socket)
    this.#asked.set(name, socket)
    this.#counts.add(remoteAddress)
    socket.once('close', () => {
      if (this.#take(name, remoteAddress) !== undefined) this.#requests.wasInVain(remoteAddress, socket.bytesRead)
    })
    return true
  }

  end(secure: TLSSocket): void {
    const { remoteAddress = '' } = secure
    const socket = this.#take(nameOf(secure), remoteAddress)
    // Data after the handshake may have been read already and is not part of it, so only refused certificates count.
    const isInVain = !secure.authorized && secure.getPeerX509Certificate() !== undefined
    if (socket !== undefined && isInVain) this.#requests.wasInVain(remoteAddress, socket.bytesRead)
  }

  #take(name: string, address: string): Socket | undefined {
    const socket = this.#asked.get(name)
    if (this.#asked.delete(name)) this.#counts.remove(address)
    return socket
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
