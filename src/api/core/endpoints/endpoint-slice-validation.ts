import {
  allErrors,
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooManyField,
} from '../../field-error.ts'
import { validateLabel, validateLabelValue, validateSubdomain } from '../../names.ts'
import type { Endpoint, EndpointPort, EndpointSlice } from '../../types/discovery-v1.ts'
import { parseIP } from '../addresses/ip-address.ts'
import {
  checkEach,
  checkLabelName,
  checkNonSpecialIP,
  checkOneOf,
  checkQualifiedName,
  checkSubdomain,
  checkSupported,
  protocols,
} from '../field-checks.ts'
import { repeated } from '../repeated.ts'

const maxEndpoints = 1000
const maxPorts = 20000
const maxAddresses = 100
const maxZoneHints = 8

export function validateEndpointSlice(slice: EndpointSlice): readonly FieldError[] {
  return allErrors(
    checkOneOf('addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6']),
    validateEndpoints(slice.endpoints ?? [], slice.addressType),
    validatePorts(slice.ports ?? []),
  )
}

export function validateEndpointSliceUpdate(after: EndpointSlice, before: EndpointSlice): readonly FieldError[] {
  if (after.addressType === before.addressType) return []
  return [invalidField('addressType', after.addressType, 'field is immutable')]
}

function validateEndpoints(endpoints: readonly Endpoint[], addressType: string): readonly FieldError[] {
  if (endpoints.length > maxEndpoints) return [tooManyField('endpoints', endpoints.length, maxEndpoints)]
  return endpoints.flatMap((each, index) => validateEndpoint(`endpoints[${index}]`, each, addressType))
}

function validateEndpoint(field: string, endpoint: Endpoint, addressType: string): readonly FieldError[] {
  const { addresses, nodeName, hostname, hints } = endpoint
  return allErrors(
    validateAddresses(`${field}.addresses`, addresses ?? [], addressType),
    nodeName === undefined ? [] : checkSubdomain(`${field}.nodeName`, nodeName),
    hostname === undefined ? [] : checkLabelName(`${field}.hostname`, hostname),
    validateZoneHints(
      `${field}.hints.forZones`,
      (hints?.forZones ?? []).map(({ name }) => name),
    ),
  )
}

function validateAddresses(field: string, addresses: readonly string[], addressType: string): readonly FieldError[] {
  return allErrors(
    addresses.length === 0 ? [requiredField(field, 'must contain at least 1 address')] : [],
    addresses.length > maxAddresses ? [tooManyField(field, addresses.length, maxAddresses)] : [],
    addresses.flatMap((each, index) => validateAddress(`${field}[${index}]`, each, addressType)),
  )
}

function validateAddress(field: string, address: string, addressType: string): readonly FieldError[] {
  switch (addressType) {
    case 'IPv4':
    case 'IPv6':
      return allErrors(
        parseIP(address)?.family === addressType
          ? []
          : [invalidField(field, address, `must be a valid ${addressType} address`)],
        checkNonSpecialIP(field, address),
      )
    case 'FQDN':
      return validateDomainName(field, address)
    default:
      return []
  }
}

function validateDomainName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  const domain = name.endsWith('.') ? name.slice(0, -1) : name
  const problems = validateSubdomain(domain)
  if (problems.length > 0) return [invalidField(field, domain, problems.join(','))]
  const labels = domain.split('.')
  if (labels.length < 2) {
    return [invalidField(field, domain, 'should be a domain with at least two segments separated by dots')]
  }
  const bad = labels.find((label) => validateLabel(label).length > 0)
  return bad === undefined ? [] : [invalidField(field, bad, validateLabel(bad).join(','))]
}

function validateZoneHints(field: string, zones: readonly string[]): readonly FieldError[] {
  if (zones.length > maxZoneHints) return [tooManyField(field, zones.length, maxZoneHints)]
  const isRepeated = repeated(zones)
  return zones.flatMap((zone, index) =>
    allErrors(
      isRepeated[index] ? [duplicateField(`${field}[${index}].name`, zone)] : [],
      checkEach(`${field}[${index}].name`, zone, validateLabelValue(zone)),
    ),
  )
}

function validatePorts(ports: readonly EndpointPort[]): readonly FieldError[] {
  if (ports.length > maxPorts) return [tooManyField('ports', ports.length, maxPorts)]
  const isTaken = repeated(ports.map(({ name = '' }) => name))
  return ports.flatMap((port, index) => validatePort(`ports[${index}]`, port, isTaken[index] ?? false))
}

function validatePort(field: string, port: EndpointPort, isTaken: boolean): readonly FieldError[] {
  const name = port.name ?? ''
  return allErrors(
    name === '' ? [] : checkLabelName(`${field}.name`, name),
    isTaken ? [duplicateField(`${field}.name`, name)] : [],
    port.protocol === undefined
      ? [requiredField(`${field}.protocol`)]
      : checkSupported(`${field}.protocol`, port.protocol, protocols),
    port.appProtocol === undefined ? [] : checkQualifiedName(`${field}.appProtocol`, port.appProtocol),
  )
}
