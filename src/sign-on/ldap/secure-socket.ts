import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isAllowedAddress } from '../../base/network/allowed-address.ts'
import { addressNotAllowed, checkedLookup } from '../fetch/checked-lookup.ts'
import { startTls } from './start-tls.ts'

export interface DirectoryAddress {
  readonly host: string
  readonly port: number
  /** With StartTLS the connection is plain at first. */
  readonly security: 'ldaps' | 'startTls'
  /** PEM. Absent: the authorities of the system. */
  readonly authorities?: string
}

const defaultPorts = { ldaps: 636, startTls: 389 } as const

/** `url` has been validated. */
export function directoryAddress(url: string, authorities: string | undefined): DirectoryAddress {
  const { protocol, hostname, port } = new URL(url)
  const security = protocol === 'ldaps:' ? 'ldaps' : 'startTls'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPorts[security] : Number(port),
    security,
    ...(authorities ? { authorities } : {}),
  }
}

/** A connection to a directory that its certificate has authenticated. */
export async function openSecureSocket(address: DirectoryAddress, signal: AbortSignal): Promise<TLSSocket> {
  const plain = await openPlainSocket(address, signal)
  try {
    if (address.security === 'startTls') await startTls(plain, signal)
    return await secured(plain, address, signal)
  } catch (error) {
    plain.destroy()
    throw error
  }
}

async function openPlainSocket({ host, port }: DirectoryAddress, signal: AbortSignal): Promise<Socket> {
  if (isIP(host) !== 0 && !isAllowedAddress(host, true)) throw addressNotAllowed(host, host)
  const socket = connect({ host, port, lookup: checkedLookup(host) })
  try {
    await once(socket, 'connect', { signal })
    socket.on('error', ignored)
    return socket
  } catch (error) {
    socket.on('error', ignored).destroy()
    throw error
  }
}

async function secured(
  socket: Socket,
  { host, authorities }: DirectoryAddress,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: authorities }),
  })
  try {
    await once(secure, 'secureConnect', { signal })
    return secure
  } finally {
    secure.on('error', ignored)
  }
}

/** The failure of a connection is reported by the pending request. */
function ignored(): void {}
