import { type FieldError, requiredField } from '../../field-error.ts'
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, firstFew, nameColumn, shownItems } from '../columns.ts'
import {
  checkIP,
  checkLabelName,
  checkNonSpecialIP,
  checkOneOf,
  checkPort,
  checkQualifiedName,
  checkSubdomain,
  protocols,
} from '../field-checks.ts'

export const endpoints = builtinKind<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.core.v1.Endpoints',
  columns: [nameColumn, column('Endpoints', 'Addresses and ports of the ready endpoints.', readyEndpoints), ageColumn],
  strategy: { defaults: withProtocols, validate: validateEndpoints },
})

function withProtocols(object: Endpoints): Endpoints {
  if (object.subsets === undefined) return object
  return { ...object, subsets: object.subsets.map(subsetWithProtocols) }
}

function subsetWithProtocols(subset: EndpointSubset): EndpointSubset {
  if (subset.ports === undefined) return subset
  return { ...subset, ports: subset.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }
}

function validateEndpoints({ subsets = [] }: Endpoints): readonly FieldError[] {
  return subsets.flatMap((subset, index) => validateSubset(`subsets[${index}]`, subset))
}

function validateSubset(field: string, subset: EndpointSubset): readonly FieldError[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset
  const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0
  return [
    ...(isEmpty ? [requiredField(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...addresses.flatMap((each, index) => validateAddress(`${field}.addresses[${index}]`, each)),
    ...notReadyAddresses.flatMap((each, index) => validateAddress(`${field}.notReadyAddresses[${index}]`, each)),
    ...ports.flatMap((each, index) => validatePort(`${field}.ports[${index}]`, each, ports.length > 1)),
  ]
}

function validateAddress(field: string, address: EndpointAddress): readonly FieldError[] {
  return [
    ...checkIP(`${field}.ip`, address.ip),
    ...(address.hostname === undefined ? [] : checkLabelName(`${field}.hostname`, address.hostname)),
    ...(address.nodeName === undefined ? [] : checkSubdomain(`${field}.nodeName`, address.nodeName)),
    ...checkNonSpecialIP(`${field}.ip`, address.ip),
  ]
}

function validatePort(field: string, port: EndpointPort, needsName: boolean): readonly FieldError[] {
  return [
    ...(port.name === undefined
      ? needsName
        ? [requiredField(`${field}.name`)]
        : []
      : checkLabelName(`${field}.name`, port.name)),
    ...checkPort(`${field}.port`, port.port),
    ...checkOneOf(`${field}.protocol`, port.protocol, protocols),
    ...(port.appProtocol === undefined ? [] : checkQualifiedName(`${field}.appProtocol`, port.appProtocol)),
  ]
}

function readyEndpoints({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  const count = subsets.reduce((sum, { addresses = [], ports = [] }) => {
    return sum + addresses.length * Math.max(1, ports.length)
  }, 0)
  return firstFew(subsets.flatMap(firstEndpoints), count)
}

/** Only as many as are shown: the product of ports and addresses may be millions. Headless services may have no ports. */
function firstEndpoints({ addresses = [], ports = [] }: EndpointSubset): readonly string[] {
  const shown = addresses.slice(0, shownItems)
  if (ports.length === 0) return shown.map(({ ip }) => ip)
  return ports.slice(0, shownItems).flatMap(({ port }) => shown.map(({ ip }) => hostAndPort(ip, port)))
}

function hostAndPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}
