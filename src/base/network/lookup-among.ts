import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * Resolves a name if all of its addresses are allowed. The check runs when a connection is opened, so that a name
 * cannot point elsewhere afterward. `refusal` creates the error for an address that is not allowed; an empty address
 * means that the name has none.
 */
export function lookupAmong(
  isAllowed: (name: string, address: string) => boolean,
  refusal: (name: string, address: string) => Error,
): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 4)
      const refused = addresses.find(({ address }) => !isAllowed(name, address))
      const [first] = addresses
      if (refused !== undefined || first === undefined) return callback(refusal(name, refused?.address ?? ''), '', 4)
      return options.all === true ? callbackAll(callback, addresses) : callback(null, first.address, first.family)
    })
  }
}

function callbackAll(callback: Parameters<LookupFunction>[2], addresses: readonly LookupAddress[]): void {
  callback(null, [...addresses])
}
