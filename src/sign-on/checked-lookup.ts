import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isAllowedAddress } from './allowed-address.ts'

/**
 * Finds addresses at which a provider may be asked. Looked at when a connection is opened, so that a name cannot lead elsewhere
 * afterwards. Only under the name `host` may it be a private one.
 */
export function checkedLookup(host: string): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 4)
      const refused = addresses.find(({ address }) => !isAllowedAddress(address, name === host))
      const [first] = addresses
      if (refused !== undefined || first === undefined) {
        return callback(addressNotAllowed(name, refused?.address ?? ''), '', 4)
      }
      return options.all === true ? callbackAll(callback, addresses) : callback(null, first.address, first.family)
    })
  }
}

function callbackAll(callback: Parameters<LookupFunction>[2], addresses: readonly LookupAddress[]): void {
  callback(null, [...addresses])
}

export function addressNotAllowed(name: string, address: string): Error {
  return new Error(`${name} has the address ${address}, at which no identity provider is asked`)
}
