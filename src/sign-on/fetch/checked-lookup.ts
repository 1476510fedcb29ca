import type { LookupFunction } from 'node:net'
import { isAllowedAddress } from '../../base/network/allowed-address.ts'
import { lookupAmong } from '../../base/network/lookup-among.ts'

/** Resolves the addresses of a provider. Only the name `host` may resolve to a private one. */
export function checkedLookup(host: string): LookupFunction {
  return lookupAmong((name, address) => isAllowedAddress(address, name === host), addressNotAllowed)
}

export function addressNotAllowed(name: string, address: string): Error {
  return new Error(`${name} has the address ${address}, which is not allowed for identity providers`)
}
