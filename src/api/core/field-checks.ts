import {
  allErrors,
  errorsOfEach,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import {
  validateLabel,
  validateLabelValue,
  validatePathSegment,
  validateQualifiedName,
  validateSubdomain,
} from '../names.ts'
import { isCIDR, parseIP, specialRanges } from './addresses/ip-address.ts'

/** Checks that many kinds make on one field. Each returns everything that is wrong with it. */

const none: readonly FieldError[] = []

export function checkEach(field: string, value: unknown, problems: readonly string[]): readonly FieldError[] {
  return problems.length === 0 ? none : problems.map((problem) => invalidField(field, value, problem))
}

export function checkLabelName(field: string, value: string): readonly FieldError[] {
  return checkEach(field, value, validateLabel(value))
}

export function checkSubdomain(field: string, value: string): readonly FieldError[] {
  return checkEach(field, value, validateSubdomain(value))
}

export function checkQualifiedName(field: string, value: string): readonly FieldError[] {
  return checkEach(field, value, validateQualifiedName(value))
}

/** A value that becomes part of a path. `requirement` is the message if it is empty. */
export function checkPathSegment(field: string, value: string, requirement = ''): readonly FieldError[] {
  return value === '' ? [requiredField(field, requirement)] : checkEach(field, value, validatePathSegment(value))
}

/** A map of labels such as a selector: all errors are about the map as a whole. */
export function checkLabels(
  field: string,
  labels: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] {
  if (labels === undefined) return none
  return errorsOfEach(Object.entries(labels), ([key, value]) =>
    allErrors(checkEach(field, key, validateQualifiedName(key)), checkEach(field, value, validateLabelValue(value))),
  )
}

export function checkOneOf(
  field: string,
  value: string | undefined,
  supported: readonly string[],
): readonly FieldError[] {
  if (value === undefined || value === '') return [requiredField(field)]
  return supported.includes(value) ? none : [notSupportedField(field, value, supported)]
}

/** Absent is valid, empty is not. */
export function checkSupported(
  field: string,
  value: string | undefined,
  supported: readonly string[],
): readonly FieldError[] {
  return value === undefined || supported.includes(value) ? none : [notSupportedField(field, value, supported)]
}

/** Absent is valid. */
export function checkNotNegative(field: string, value: number | undefined): readonly FieldError[] {
  if (value === undefined || value >= 0) return none
  return [invalidField(field, value, 'must be greater than or equal to 0')]
}

export function checkPort(field: string, port: number): readonly FieldError[] {
  return port >= 1 && port <= 65535 ? none : [invalidField(field, port, 'must be between 1 and 65535, inclusive')]
}

/** A number, or the name of a container port. */
export function checkPortOrName(field: string, port: number | string): readonly FieldError[] {
  return typeof port === 'number' ? checkPort(field, port) : checkEach(field, port, portNameProblems(port))
}

export function portNameProblems(name: string): readonly string[] {
  const problems: [boolean, string][] = [
    [name.length > 15, 'must be no more than 15 characters'],
    [!/^[-a-z0-9]+$/.test(name), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
    [!/[a-z]/.test(name), 'must contain at least one letter (a-z)'],
    [name.includes('--'), 'must not contain consecutive hyphens'],
    [name.startsWith('-') || name.endsWith('-'), 'must not begin or end with a hyphen'],
  ]
  return problems.filter(([holds]) => holds).map(([, text]) => text)
}

export const protocols = ['SCTP', 'TCP', 'UDP'] as const

export function checkIP(field: string, value: string): readonly FieldError[] {
  if (parseIP(value) !== undefined) return none
  return [invalidField(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

/** How something is reached from outside: by an address, or by a name that is not one. */
export function checkAddressOrName(field: string, { ip, hostname }: AddressOrName): readonly FieldError[] {
  return allErrors(
    ip === undefined ? [] : checkIP(`${field}.ip`, ip),
    hostname === undefined ? [] : checkSubdomain(`${field}.hostname`, hostname),
    hostname !== undefined && parseIP(hostname) !== undefined
      ? [invalidField(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')]
      : [],
  )
}

interface AddressOrName {
  readonly ip?: string
  readonly hostname?: string
}

export function checkCIDR(field: string, value: string): readonly FieldError[] {
  if (isCIDR(value)) return none
  return [invalidField(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
}

/** An address with a different meaning on every machine cannot be an endpoint. */
export function checkNonSpecialIP(field: string, value: string): readonly FieldError[] {
  const address = parseIP(value)
  if (address === undefined) return [invalidField(field, value, 'must be a valid IP address')]
  return checkEach(field, value, specialRanges(value, address))
}

/** A key in the data of a ConfigMap or Secret. */
export function dataKeyProblems(key: string): readonly string[] {
  if (dataKey.test(key) && key.length <= 253 && !key.startsWith('.')) return fine
  return [
    ...(key.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(dataKey.test(key) ? [] : [dataKeyAdvice]),
    ...parentDirectoryProblems(key),
  ]
}

const fine: readonly string[] = []
const dataKey = /^[-._a-zA-Z0-9]+$/
const dataKeyAdvice =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

function parentDirectoryProblems(key: string): readonly string[] {
  if (key === '.') return ["must not be '.'"]
  if (key === '..') return ["must not be '..'"]
  return key.startsWith('..') ? ["must not start with '..'"] : []
}

const domainPrefixedPath = /^([^/]+)\/(.+)$/s
const plainPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/
const pathAdvice = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"

/** A domain and a path of its owner, such as `acme.io/foo`. */
export function checkDomainPrefixedPath(field: string, value: string): readonly FieldError[] {
  if (value === '') return [requiredField(field)]
  const [, domain, path] = domainPrefixedPath.exec(value) ?? []
  if (domain === undefined || path === undefined) {
    return [invalidField(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const pathErrors = plainPath.test(path) ? [] : [invalidField(field, path, pathAdvice)]
  return [...checkSubdomain(field, domain), ...pathErrors]
}
