import type { Service } from '../types/core-v1.ts'
import { familyOf, parseIP } from './ip-address.ts'
import { canonicalIPv6 } from './ipv6-text.ts'
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
  const address = parseIP(text)
  if (address === undefined || familyOf(text) === 'IPv4') return []
  const canonical = canonicalIPv6(address.groups)
  if (canonical === text) return []
  return [
    `${field}: IPv6 address "${text}" is not in RFC 5952 canonical format ("${canonical}"), which may cause controller apply-loops`,
  ]
}
