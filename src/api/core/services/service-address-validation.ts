import {
  allErrors,
  duplicateField,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import { goStrings } from '../../human/go-syntax.ts'
import type { Service } from '../../types/core-v1.ts'
import { familyOf } from '../addresses/ip-address.ts'
import { checkIP } from '../field-checks.ts'
import { invalidPrinted } from '../printed-errors.ts'
import { repeated } from '../repeated.ts'
import { headless, isExternalName, isHeadless } from './service-questions.ts'

const families = ['IPv4', 'IPv6']
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, which must be consistent. */
export function validateServiceAddresses(service: Service): readonly FieldError[] {
  if (isExternalName(service)) return []
  const shape = [...validatePair(service), ...validateFamilies(service)]
  const addresses = validateAddresses(service)
  if (addresses.length > 0) return allErrors(shape, addresses)
  return allErrors(shape, validateStacks(service))
}

function validatePair({ spec: { clusterIP, clusterIPs = [] } }: Service): readonly FieldError[] {
  const field = 'spec.clusterIPs'
  if (clusterIP === undefined) {
    return clusterIPs.length === 0
      ? []
      : [invalidPrinted(field, goStrings(clusterIPs), 'must be empty when `clusterIP` is not specified')]
  }
  if (clusterIPs.length === 0) return [requiredField(field)]
  return clusterIPs[0] === clusterIP
    ? []
    : [invalidPrinted(field, goStrings(clusterIPs), 'first value must match `clusterIP`')]
}

function validateFamilies({
  spec: { clusterIPs = [], ipFamilies = [], ipFamilyPolicy },
}: Service): readonly FieldError[] {
  // Families that follow from the addresses were not requested.
  const isRepeated = areOf(ipFamilies, clusterIPs) ? [] : repeated(ipFamilies)
  return allErrors(
    ipFamilies.flatMap((family, index) =>
      allErrors(
        families.includes(family) ? [] : [notSupportedField(`spec.ipFamilies[${index}]`, family, families)],
        isRepeated[index] ? [duplicateField(`spec.ipFamilies[${index}]`, family)] : [],
      ),
    ),
    ipFamilyPolicy === undefined || familyPolicies.includes(ipFamilyPolicy)
      ? []
      : [notSupportedField('spec.ipFamilyPolicy', ipFamilyPolicy, familyPolicies)],
  )
}

function areOf(ipFamilies: readonly string[], clusterIPs: readonly string[]): boolean {
  return ipFamilies.length === clusterIPs.length && clusterIPs.every((ip, index) => familyOf(ip) === ipFamilies[index])
}

function validateAddresses({ spec: { clusterIPs = [] } }: Service): readonly FieldError[] {
  const field = 'spec.clusterIPs'
  return allErrors(
    clusterIPs.flatMap((ip, index) => {
      if (index > 0 || ip !== headless) return checkIP(`${field}[${index}]`, ip)
      return clusterIPs.length === 1
        ? []
        : [invalidPrinted(field, goStrings(clusterIPs), "'None' must be the first and only value")]
    }),
    clusterIPs.length > 2 ? [invalidPrinted(field, goStrings(clusterIPs), 'may only hold up to 2 values')] : [],
  )
}

function validateStacks(service: Service): readonly FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = service.spec
  if (isHeadless(service)) return []
  const isOneFamily = clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size === 1
  return allErrors(
    isOneFamily
      ? [invalidPrinted('spec.clusterIPs', goStrings(clusterIPs), 'may specify no more than one IP for each IP family')]
      : [],
    clusterIPs.flatMap((ip, index) => {
      const expected = ipFamilies[index]
      if (expected === undefined || !families.includes(expected) || expected === familyOf(ip)) return []
      const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``
      return [invalidField(`spec.clusterIPs[${index}]`, ip, detail)]
    }),
  )
}

/** The cluster has one address family. Headless services without a selector may still name both. */
export function validateClusterFamilies(service: Service): readonly FieldError[] {
  if (isExternalName(service)) return []
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy, selector } = service.spec
  const single = validateSingle(service)
  if (single.length > 0) return single
  if (isHeadless(service) && selector === undefined) return []
  return allErrors(
    ipFamilyPolicy === 'RequireDualStack'
      ? [invalidField('spec.ipFamilyPolicy', ipFamilyPolicy, 'this cluster is not configured for dual-stack services')]
      : [],
    ipFamilies.flatMap((family, index) => {
      if (family !== 'IPv6') return []
      if (familyOf(clusterIPs[index] ?? '') !== 'IPv6') {
        return [invalidField(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')]
      }
      const detail = 'IPv6 is not configured on this cluster'
      return [invalidPrinted(`spec.clusterIPs[${index}]`, goStrings(clusterIPs), detail)]
    }),
  )
}

/** A service with two families must state its policy. */
function validateSingle({ spec }: Service): readonly FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy = 'SingleStack' } = spec
  const many = clusterIPs.length === 2 ? 'cluster IPs' : ipFamilies.length === 2 ? 'IP families' : ''
  if (ipFamilyPolicy !== 'SingleStack' || many === '') return []
  const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${many} are specified`
  return [invalidField('spec.ipFamilyPolicy', ipFamilyPolicy, detail)]
}
