import type { LookupFunction } from 'node:net'
import { isAllowedAddress } from '../base/allowed-address.ts'
import { lookupAmong } from '../base/lookup-among.ts'

/** Finds addresses at which a provider may be asked. Only under the name `host` may it be a private one. */
export function checkedLookup(host: string): LookupFunction {
  return lookupAmong((name, address) => isAllowedAddress(address, name === host), addressNotAllowed)
}

export function addressNotAllowed(name: string, address: string): Error {
  return new Error(`${name} has the address ${address}, at which no identity provider is asked`)
}
