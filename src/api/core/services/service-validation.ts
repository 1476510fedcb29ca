import { allErrors, type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import type { Service } from '../../types/core-v1.ts'
import {
  checkCIDR,
  checkIP,
  checkLabels,
  checkNonSpecialIP,
  checkOneOf,
  checkPort,
  checkQualifiedName,
  checkSubdomain,
  checkSupported,
} from '../field-checks.ts'
import { validateClusterFamilies, validateServiceAddresses } from './service-address-validation.ts'
import { usesHealthCheckNodePort } from './service-allocation.ts'
import { validatePortConflicts, validateServicePorts } from './service-port-validation.ts'
import { isExternallyAccessible, isExternalName, isHeadless, isLoadBalancer } from './service-questions.ts'

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const trafficPolicies = ['Cluster', 'Local']
const maxAffinitySeconds = 86_400
const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const topologyModeAnnotation = 'service.kubernetes.io/topology-mode'
const topologyHintsAnnotation = 'service.kubernetes.io/topology-aware-hints'
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'"

/** Every check of a service, in the order in which errors are listed. */
const checks: readonly ((service: Service) => readonly FieldError[])[] = [
  validateTopology,
  validateType,
  validateServicePorts,
  ({ spec }) => checkLabels('spec.selector', spec.selector),
  validateAffinity,
  validateExternalIPs,
  ({ spec }) => checkOneOf('spec.type', spec.type, serviceTypes),
  validatePortConflicts,
  validateSourceRanges,
  validateLoadBalancerFields,
  validateExternalTraffic,
  validateHealthCheck,
  validateInternalTraffic,
]

export function validateService(service: Service): readonly FieldError[] {
  return checks.flatMap((check) => check(service))
}

/** What keeps addresses from being assigned, which happens before anything else is checked. */
export function validateServiceFamilies(service: Service): readonly FieldError[] {
  const errors = validateServiceAddresses(service)
  return errors.length > 0 ? errors : validateClusterFamilies(service)
}

function validateTopology({ metadata: { annotations } }: Service): readonly FieldError[] {
  const mode = annotations?.[topologyModeAnnotation]
  const hints = annotations?.[topologyHintsAnnotation]
  if (mode === undefined || hints === undefined || mode === hints) return []
  const detail = `must match annotations[${topologyHintsAnnotation}] when both are specified`
  return [invalidField(`metadata.annotations[${topologyModeAnnotation}]`, mode, detail)]
}

function validateType(service: Service): readonly FieldError[] {
  const { ports = [], type } = service.spec
  const lacksPorts = ports.length === 0 && !isHeadless(service) && !isExternalName(service)
  const errors = lacksPorts ? [requiredField('spec.ports')] : []
  if (isExternalName(service)) return allErrors(errors, validateExternalName(service))
  if (isHeadless(service) && (type === 'LoadBalancer' || type === 'NodePort')) {
    return [...errors, invalidField('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  }
  return errors
}

function validateExternalName({ spec }: Service): readonly FieldError[] {
  const forbidden = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const).filter((each) => spec[each] !== undefined)
  const name = (spec.externalName ?? '').replace(/\.$/, '')
  return allErrors(
    forbidden.map((each) => forbiddenField(`spec.${each}`, 'may not be set for ExternalName services')),
    name === '' ? [requiredField('spec.externalName')] : checkSubdomain('spec.externalName', name),
  )
}

function validateAffinity({ spec }: Service): readonly FieldError[] {
  const { sessionAffinity, sessionAffinityConfig: config } = spec
  const field = 'spec.sessionAffinityConfig'
  const errors = checkOneOf('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])
  if (sessionAffinity === 'None' && config !== undefined) {
    return [...errors, forbiddenField(field, 'must not be set when session affinity is None')]
  }
  if (sessionAffinity !== 'ClientIP') return errors
  const seconds = config?.clientIP?.timeoutSeconds
  if (seconds === undefined) return [...errors, requiredField(field, 'when session affinity type is ClientIP')]
  if (seconds > 0 && seconds <= maxAffinitySeconds) return errors
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`
  return [...errors, invalidField(`${field}.clientIP.timeoutSeconds`, seconds, detail)]
}

function validateExternalIPs({ spec }: Service): readonly FieldError[] {
  return (spec.externalIPs ?? []).flatMap((ip, index) => {
    const field = `spec.externalIPs[${index}]`
    const errors = checkIP(field, ip)
    return errors.length > 0 ? errors : checkNonSpecialIP(field, ip)
  })
}

/** The ranges may also be in an annotation, which is older than the field. */
function validateSourceRanges(service: Service): readonly FieldError[] {
  const ranges = service.spec.loadBalancerSourceRanges ?? []
  if (ranges.length > 0) {
    const field = 'spec.LoadBalancerSourceRanges'
    return allErrors(
      isLoadBalancer(service) ? [] : [forbiddenField(field, onlyForLoadBalancers)],
      ranges.flatMap((range, index) => checkCIDR(`${field}[${index}]`, range.trim())),
    )
  }
  const annotation = service.metadata.annotations?.[sourceRangesAnnotation]
  if (annotation === undefined) return []
  const field = `metadata.annotations[${sourceRangesAnnotation}]`
  const listed = annotation.trim() === '' ? [] : annotation.split(',')
  return allErrors(
    isLoadBalancer(service) ? [] : [forbiddenField(field, onlyForLoadBalancers)],
    listed.flatMap((range) => checkCIDR(field, range.trim())),
  )
}

function validateLoadBalancerFields(service: Service): readonly FieldError[] {
  const { allocateLoadBalancerNodePorts, loadBalancerClass } = service.spec
  if (isLoadBalancer(service)) {
    return loadBalancerClass === undefined ? [] : checkQualifiedName('spec.loadBalancerClass', loadBalancerClass)
  }
  return allErrors(
    allocateLoadBalancerNodePorts === undefined
      ? []
      : [forbiddenField('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers)],
    loadBalancerClass === undefined ? [] : [forbiddenField('spec.loadBalancerClass', onlyForLoadBalancers)],
  )
}

function validateExternalTraffic(service: Service): readonly FieldError[] {
  const policy = service.spec.externalTrafficPolicy
  const field = 'spec.externalTrafficPolicy'
  if (isExternallyAccessible(service)) return checkOneOf(field, policy, trafficPolicies)
  return policy === undefined ? [] : [invalidField(field, policy, 'may only be set for externally-accessible services')]
}

function validateHealthCheck(service: Service): readonly FieldError[] {
  const port = service.spec.healthCheckNodePort
  const field = 'spec.healthCheckNodePort'
  if (port === undefined) return []
  if (usesHealthCheckNodePort(service)) return checkPort(field, port)
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
  return [invalidField(field, port, detail)]
}

function validateInternalTraffic({ spec }: Service): readonly FieldError[] {
  const { internalTrafficPolicy: policy, trafficDistribution: distribution } = spec
  return allErrors(
    checkSupported('spec.internalTrafficPolicy', policy, trafficPolicies),
    checkSupported('spec.trafficDistribution', distribution, ['PreferClose']),
  )
}
