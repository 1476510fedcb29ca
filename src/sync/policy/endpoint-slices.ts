import type { ObjectFields } from '../contract.ts'
import { checkedObjectsIn } from '../kinds/lists.ts'
import { addressCheck } from './addresses.ts'
import type { FieldContext, FieldRule, Refusal } from './contract.ts'
import { refusedAddress } from './endpoints.ts'
import { externalNameCheck } from './external-names.ts'
import { allowedWith } from './remedy.ts'

/** Drops addresses and names that tenants may not lead to. An endpoint without any left is removed. */
export const endpointSlicesRule: FieldRule = (fields, context) => {
  const refuse = refuserFor(fields.addressType, context)
  const refusals: Refusal[] = []
  const endpoints = checkedObjectsIn<ObjectFields>(fields.endpoints)?.flatMap((endpoint, index) => {
    const given: readonly unknown[] = Array.isArray(endpoint.addresses) ? endpoint.addresses : []
    const addresses = given.filter((address, position) => {
      const refusal = refuse(address, `endpoints[${index}].addresses[${position}]`)
      if (refusal !== undefined) refusals.push(refusal)
      return refusal === undefined
    })
    return addresses.length === 0 ? [] : [{ ...endpoint, addresses }]
  })
  return { fields: refusals.length === 0 ? fields : { ...fields, endpoints }, refusals }
}

function refuserFor(
  addressType: unknown,
  { policies, hostClusterDomain }: FieldContext,
): (address: unknown, field: string) => Refusal | undefined {
  if (addressType !== 'FQDN') {
    const check = addressCheck(policies.endpointAddresses)
    return (address, field) => {
      const why = check(address)
      return why === undefined ? undefined : refusedAddress(field, why)
    }
  }
  const check = externalNameCheck(policies.externalNames.allowed, hostClusterDomain)
  const remedy = allowedWith('externalNames.allowed')
  return (name, field) => {
    const reason = check(name)
    return reason === undefined ? undefined : { rule: 'externalNames', field, reason, remedy }
  }
}
