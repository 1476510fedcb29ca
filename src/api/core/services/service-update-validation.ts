import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import { goStrings } from '../../human/go-syntax.ts'
import type { LoadBalancerIngress, Service } from '../../types/core-v1.ts'
import { parseIP } from '../addresses/ip-address.ts'
import { checkIP, checkSubdomain } from '../field-checks.ts'
import { invalidPrinted } from '../printed-errors.ts'
import { validateServiceAddresses } from './service-address-validation.ts'
import { usesHealthCheckNodePort } from './service-allocation.ts'
import { isExternalName, isHeadless, isLoadBalancer } from './service-questions.ts'

const neverChanges = 'may not change once set'

export function validateServiceUpdate(after: Service, before: Service): readonly FieldError[] {
  return allErrors(
    isExternalName(after) || isExternalName(before) || validateServiceAddresses(after).length > 0
      ? []
      : validateAddresses(after, before),
    validateLoadBalancerClass(after, before),
    validateHealthCheck(after, before),
  )
}

/** The primary address and family stay; a secondary one may be added and removed. */
function validateAddresses(after: Service, before: Service): readonly FieldError[] {
  if (isHeadless(after) && isHeadless(before)) return []
  const { clusterIPs = [], ipFamilies = [] } = after.spec
  const { clusterIPs: oldIPs = [], ipFamilies: oldFamilies = [] } = before.spec
  const isSwitched = isHeadless(after) !== isHeadless(before)
  return allErrors(
    changed(clusterIPs, oldIPs).map((index) =>
      invalidPrinted(`spec.clusterIPs[${index}]`, goStrings(clusterIPs), neverChanges),
    ),
    (isSwitched ? [] : changed(ipFamilies, oldFamilies)).map(() =>
      invalidPrinted('spec.ipFamilies[0]', goFamilies(ipFamilies), neverChanges),
    ),
  )
}

/** The indexes at which both lists have different values; for lists of different lengths only the first matters. */
function changed(after: readonly string[], before: readonly string[]): readonly number[] {
  const compared = after.length === before.length ? after.length : Math.min(after.length, before.length, 1)
  return after.slice(0, compared).flatMap((value, index) => (value === before[index] ? [] : [index]))
}

function goFamilies(families: readonly string[]): string {
  return goStrings(families).replace('[]string', '[]core.IPFamily')
}

function validateLoadBalancerClass(after: Service, before: Service): readonly FieldError[] {
  const { loadBalancerClass } = after.spec
  const isSame = loadBalancerClass === before.spec.loadBalancerClass
  if (isSame || !isLoadBalancer(after) || !isLoadBalancer(before)) return []
  return [invalidField('spec.loadBalancerClass', loadBalancerClass ?? null, neverChanges)]
}

function validateHealthCheck(after: Service, before: Service): readonly FieldError[] {
  if (!usesHealthCheckNodePort(after) || !usesHealthCheckNodePort(before)) return []
  if (after.spec.healthCheckNodePort === before.spec.healthCheckNodePort) return []
  return [forbiddenField('spec.healthCheckNodePort', 'field is immutable')]
}

export function validateServiceStatus(service: Service): readonly FieldError[] {
  const { ingress = [] } = service.status.loadBalancer
  const field = 'status.loadBalancer.ingress'
  if (ingress.length > 0 && !isLoadBalancer(service)) {
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  return ingress.flatMap((each, index) => validateIngress(`${field}[${index}]`, each))
}

function validateIngress(field: string, { ip, hostname, ipMode }: LoadBalancerIngress): readonly FieldError[] {
  return allErrors(
    ip === undefined ? [] : checkIP(`${field}.ip`, ip),
    validateIPMode(`${field}.ipMode`, ip, ipMode),
    hostname === undefined ? [] : checkSubdomain(`${field}.hostname`, hostname),
    hostname !== undefined && parseIP(hostname) !== undefined
      ? [invalidField(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')]
      : [],
  )
}

function validateIPMode(field: string, ip: string | undefined, mode: string | undefined): readonly FieldError[] {
  if (mode === undefined) return ip === undefined ? [] : [requiredField(field, 'must be specified when `ip` is set')]
  if (ip === undefined) return [forbiddenField(field, 'may not be specified when `ip` is not set')]
  return mode === 'VIP' || mode === 'Proxy' ? [] : [notSupportedField(field, mode, ['Proxy', 'VIP'])]
}
