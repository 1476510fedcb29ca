import { canonicalIPv6 } from '../../../base/network/ipv6-text.ts'
import { addressProblemIfAny, prefixProblemIfAny } from '../../cel/ip-problem.ts'
import type { Service } from '../../types/core-v1.ts'
import { familyOf, parseIP } from '../addresses/ip-address.ts'
import { headless, isExternalName } from './service-questions.ts'

export function serviceWarnings(service: Service): readonly string[] {
  const { metadata, spec } = service
  const hints = metadata.annotations?.['service.kubernetes.io/topology-aware-hints']
  const clusterIPs = (spec.clusterIPs ?? []).filter((ip) => ip !== headless)
  return [
    ...(hints === undefined
      ? []
      : [
          'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
        ]),
    ...clusterIPs.flatMap((ip, index) => addressWarnings(`spec.clusterIPs[${index}]`, ip)),
    ...(spec.externalIPs ?? []).flatMap((ip, index) => addressWarnings(`spec.externalIPs[${index}]`, ip)),
    ...(spec.loadBalancerIP ? addressWarnings('spec.loadBalancerIP', spec.loadBalancerIP) : []),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...(isExternalName(service) && (spec.externalIPs ?? []).length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!isExternalName(service) && spec.externalName !== undefined
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ]
}

/** Other programs compare addresses as text, so an unusual spelling looks like a change to them. */
function addressWarnings(field: string, text: string): readonly string[] {
  const problem = addressProblemIfAny(text)
  if (problem !== undefined) return [`${field}: IP address ${willBeInvalid}: ${problem}`]
  const canonical = canonicalText(text)
  return canonical === text ? [] : [`${field}: IPv6 address ${loops(text, canonical)}`]
}

function rangeWarnings(field: string, text: string): readonly string[] {
  const problem = prefixProblemIfAny(text)
  if (problem !== undefined) return [`${field}: IP prefix ${willBeInvalid}: ${problem}`]
  const [address = '', bits = ''] = text.split('/')
  const canonical = `${canonicalText(address)}/${bits}`
  return canonical === text ? [] : [`${field}: IPv6 prefix ${loops(text, canonical)}`]
}

const willBeInvalid = 'was accepted, but will be invalid in a future Kubernetes release'

function loops(text: string, canonical: string): string {
  return `"${text}" is not in RFC 5952 canonical format ("${canonical}"), which may cause controller apply-loops`
}

function canonicalText(text: string): string {
  const address = parseIP(text)
  return address === undefined || familyOf(text) === 'IPv4' ? text : canonicalIPv6(address.groups)
}
