import { parseIP } from '../core/addresses/ip-address.ts'
import { checkAddressOrName, checkEach, checkPort, checkSubdomain, portNameProblems } from '../core/field-checks.ts'
import { invalidPrinted } from '../core/printed-errors.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { validateLabel1035, validateSubdomain } from '../names.ts'
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressTLS } from '../types/networking-v1.ts'
import { validateTypedReference } from './typed-reference.ts'

/** How a class was named before it had a field. */
export const classAnnotation = 'kubernetes.io/ingress.class'

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const forbiddenInPaths = ['//', '/./', '/../', '%2f', '%2F']
const forbiddenAtEnds = ['/..', '/.']
const wildcard = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const wildcardAdvice =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

export function validateIngress({ spec }: Ingress): readonly FieldError[] {
  const { ingressClassName, defaultBackend, rules = [], tls = [] } = spec
  const isEmpty = rules.length === 0 && defaultBackend === undefined
  return [
    ...(isEmpty
      ? [
          invalidPrinted(
            'spec',
            '[]networking.IngressRule(nil)',
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(defaultBackend === undefined ? [] : validateBackend('spec.defaultBackend', defaultBackend)),
    ...rules.flatMap((rule, index) => validateRule(`spec.rules[${index}]`, rule)),
    ...tls.flatMap((each, index) => validateTls(`spec.tls[${index}]`, each)),
    ...(ingressClassName === undefined ? [] : checkSubdomain('spec.ingressClassName', ingressClassName)),
  ]
}

/** Only for new ones: a controller may have adopted one of the two since. */
export function checkClasses({ metadata, spec }: Ingress, old: Ingress | undefined): readonly FieldError[] {
  const annotated = metadata.annotations?.[classAnnotation]
  const { ingressClassName } = spec
  if (old !== undefined || annotated === undefined || ingressClassName === undefined) return []
  if (annotated === ingressClassName) return []
  const detail = 'must match `ingressClassName` when both are specified'
  return [invalidField(`annotations.${classAnnotation}`, annotated, detail)]
}

function validateRule(field: string, { host = '', http }: IngressRule): readonly FieldError[] {
  return [
    ...validateHost(`${field}.host`, host),
    ...(http === undefined ? [] : validatePaths(`${field}.http`, http.paths ?? [])),
  ]
}

export function validateIngressStatus({ status }: Ingress): readonly FieldError[] {
  return (status.loadBalancer.ingress ?? []).flatMap((each, index) =>
    checkAddressOrName(`status.loadBalancer.ingress[${index}]`, each),
  )
}

function validateHost(field: string, host: string): readonly FieldError[] {
  if (host === '') return []
  return [
    ...(parseIP(host) === undefined ? [] : [invalidField(field, host, 'must be a DNS name, not an IP address')]),
    ...checkEach(field, host, hostProblems(host)),
  ]
}

function hostProblems(host: string): readonly string[] {
  if (!host.includes('*')) return validateSubdomain(host)
  return wildcard.test(host) ? [] : [wildcardAdvice]
}

function validateTls(field: string, { hosts = [], secretName }: IngressTLS): readonly FieldError[] {
  return [
    ...hosts.flatMap((host, index) => checkEach(`${field}.hosts[${index}]`, host, hostProblems(host))),
    ...(secretName === undefined ? [] : checkSubdomain(`${field}.secretName`, secretName)),
  ]
}

function validatePaths(field: string, paths: readonly HTTPIngressPath[]): readonly FieldError[] {
  if (paths.length === 0) return [requiredField(`${field}.paths`)]
  return paths.flatMap((each, index) => validatePath(`${field}.paths[${index}]`, each))
}

function validatePath(field: string, { path = '', pathType, backend }: HTTPIngressPath): readonly FieldError[] {
  if (pathType === undefined) return [requiredField(`${field}.pathType`, 'pathType must be specified')]
  return [...validatePathText(field, path, pathType), ...validateBackend(`${field}.backend`, backend)]
}

function validatePathText(field: string, path: string, type: string): readonly FieldError[] {
  switch (type) {
    case 'Exact':
    case 'Prefix':
      return checkEach(`${field}.path`, path, pathProblems(path))
    case 'ImplementationSpecific':
      return path === '' || path.startsWith('/')
        ? []
        : [invalidField(`${field}.path`, path, 'must be an absolute path')]
    default:
      return [notSupportedField(`${field}.pathType`, type, pathTypes)]
  }
}

function pathProblems(path: string): readonly string[] {
  return [
    ...(path.startsWith('/') ? [] : ['must be an absolute path']),
    ...forbiddenInPaths.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...forbiddenAtEnds.filter((part) => path.endsWith(part)).map((part) => `cannot end with '${part}'`),
  ]
}

function validateBackend(field: string, { service, resource }: IngressBackend): readonly FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalidField(field, '', 'cannot set both resource and service backends')]
  }
  if (resource !== undefined) return validateTypedReference(`${field}.resource`, resource)
  if (service === undefined) return [invalidField(field, '', 'resource or service backend is required')]
  return [...validateServiceName(`${field}.service.name`, service.name), ...validateServicePort(field, service.port)]
}

function validateServiceName(field: string, name: string): readonly FieldError[] {
  return name === '' ? [requiredField(field)] : checkEach(field, name, validateLabel1035(name))
}

function validateServicePort(
  field: string,
  { name, number }: { readonly name?: string; readonly number?: number },
): readonly FieldError[] {
  if (name !== undefined && number !== undefined) {
    return [invalidField(field, '', 'cannot set both port name & port number')]
  }
  if (name !== undefined) return checkEach(`${field}.service.port.name`, name, portNameProblems(name))
  if (number !== undefined) return checkPort(`${field}.service.port.number`, number)
  return [requiredField(field, 'port name or number is required')]
}
