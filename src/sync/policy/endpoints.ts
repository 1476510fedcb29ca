import { isJsonObject } from '../../base/json/member.ts'
import type { ObjectFields } from '../contract.ts'
import { checkedObjectsIn } from '../kinds/lists.ts'
import { type AddressCheck, addressCheck } from './addresses.ts'
import type { FieldRule, Refusal } from './contract.ts'
import { allowedWith } from './remedy.ts'

const lists = ['addresses', 'notReadyAddresses'] as const

/** Drops addresses that tenants may not lead to. A subset without any left is removed, because servers refuse it. */
export const endpointsRule: FieldRule = (fields, { policies }) => {
  const check = addressCheck(policies.endpointAddresses)
  const refusals: Refusal[] = []
  const subsets = checkedObjectsIn<ObjectFields>(fields.subsets)?.flatMap((subset, index) => {
    const kept = Object.fromEntries(
      lists.map((name) => [name, keptIn(subset[name], `subsets[${index}].${name}`, check, refusals)]),
    )
    if (refusals.length === 0) return [subset]
    const { addresses, notReadyAddresses, ...rest } = { ...subset, ...kept }
    const left = { ...filled('addresses', addresses), ...filled('notReadyAddresses', notReadyAddresses) }
    return Object.keys(left).length === 0 ? [] : [{ ...rest, ...left }]
  })
  return refusals.length === 0 ? { fields, refusals } : { fields: { ...fields, subsets }, refusals }
}

function keptIn(
  list: unknown,
  field: string,
  check: AddressCheck,
  refusals: Refusal[],
): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.filter((each: unknown, index) => {
    const why = check(isJsonObject(each) ? each.ip : undefined)
    if (why !== undefined) refusals.push(refusedAddress(`${field}[${index}].ip`, why))
    return why === undefined
  })
}

export function refusedAddress(field: string, reason: string): Refusal {
  return { rule: 'endpointAddresses', field, reason, remedy: allowedWith('endpointAddresses.allowed') }
}

function filled(name: string, list: unknown): ObjectFields {
  return Array.isArray(list) && list.length > 0 ? { [name]: list } : {}
}
