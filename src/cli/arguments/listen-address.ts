import { isIPv4 } from 'node:net'
import { InvalidArgumentError } from 'commander'

/** One address, which also stands in certificates and in what clients are told: all of them at once is none. */
export function listenAddressArgument(text: string): string {
  if (isIPv4(text) && text !== '0.0.0.0') return text
  throw new InvalidArgumentError('It has to be one IPv4 address of this machine that clients can reach.')
}
