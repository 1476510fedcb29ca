import { isIPv4 } from 'node:net'
import { InvalidArgumentError } from 'commander'

/**
 * A single address, since it also appears in certificates and in what clients are told; the wildcard address is
 * refused.
 */
export function listenAddressArgument(text: string): string {
  if (isIPv4(text) && text !== '0.0.0.0') return text
  throw new InvalidArgumentError('It must be one IPv4 address of this machine that clients can reach.')
}
