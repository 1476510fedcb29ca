import { isIP } from 'node:net'
import { parseIP } from '../api/core/addresses/ip-address.ts'
import type { KubeObject } from '../api/object.ts'
import type { Pod } from '../api/types/core-v1.ts'
import type { EndpointSlice } from '../api/types/discovery-v1.ts'
import { asMembers, asObjects, asText, asTexts } from '../base/json/lenient.ts'
import type { DnsPort } from './contract.ts'

const serviceLabel = 'kubernetes.io/service-name'
const highestPort = 65_535
/** More than one answer contains. */
const mostPorts = 1_000
const longestName = 253
const label = /^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?$/i

/** Called with the fields that are not used, because no name can be made of them. */
export type ReportMalformed = (object: KubeObject, fields: readonly string[]) => void

/**
 * The parts of an object that names are made of, each in the form that Kubernetes gives it: the API of a virtual
 * cluster may be any server. What has another form is left out, alone.
 */
export function keptService(object: KubeObject, tell: ReportMalformed): KubeObject {
  const spec = asMembers(object.spec)
  const { name = '', namespace = '' } = object.metadata
  const odd = new OddFields()
  const isNamed = odd.unless(isLabel(name) && isLabel(namespace), 'metadata.name')
  const target = asText(spec.externalName)
  const kept = {
    type: asText(spec.type),
    clusterIP: isNamed ? asText(spec.clusterIP) : '',
    clusterIPs: isNamed ? odd.texts(spec.clusterIPs, isWritable, 'spec.clusterIPs') : [],
    ports: odd.ports(spec.ports, 'spec.ports'),
    ...(odd.unless(target === '' || isDnsName(target), 'spec.externalName') && { externalName: target }),
  }
  odd.tell(object, tell)
  return { ...withMetadata(object), spec: kept }
}

export function keptSlice(object: KubeObject, tell: ReportMalformed): KubeObject {
  const odd = new OddFields()
  const service = object.metadata.labels?.[serviceLabel] ?? ''
  const isPlaced = odd.unless(isLabel(object.metadata.namespace ?? ''), 'metadata.namespace')
  const isNamed = odd.unless(service === '' || isLabel(service), `metadata.labels["${serviceLabel}"]`)
  const isOfAddresses = isPlaced && isNamed && object.addressType !== 'FQDN'
  const endpoints = (isOfAddresses ? odd.objects(object.endpoints, 'endpoints') : []).map((endpoint) => {
    const hostname = asText(endpoint.hostname)
    const isReady = asMembers(endpoint.conditions).ready !== false
    return {
      addresses: isReady ? odd.texts(endpoint.addresses, isWritable, 'endpoints[*].addresses') : [],
      ...(odd.unless(hostname === '' || isLabel(hostname), 'endpoints[*].hostname') && { hostname }),
    }
  })
  const kept = { addressType: asText(object.addressType), endpoints, ports: odd.ports(object.ports, 'ports') }
  odd.tell(object, tell)
  const { apiVersion, kind, metadata } = withMetadata(object)
  return { apiVersion, kind, metadata, ...(kept satisfies Omit<EndpointSlice, 'metadata' | 'apiVersion' | 'kind'>) }
}

export function keptPod(object: KubeObject, tell: ReportMalformed): KubeObject {
  const odd = new OddFields()
  const addresses = odd.objects(asMembers(object.status).podIPs, 'status.podIPs').map(({ ip }) => ip)
  const podIPs = odd.texts(addresses, isWritable, 'status.podIPs').map((ip) => ({ ip }))
  const { hostname, subdomain } = asMembers(object.spec)
  const names = { hostname: asText(hostname), subdomain: asText(subdomain) }
  const isNamed = odd.unless(
    Object.values(names).every((name) => name === '' || isLabel(name)),
    'spec.hostname',
  )
  odd.tell(object, tell)
  return {
    ...withMetadata(object),
    ...(names.subdomain !== '' && isNamed && { spec: names }),
    status: { podIPs } satisfies Pod['status'],
  }
}

/** Whether an address can be written into an answer. */
export function isWritable(address: string): boolean {
  return isIP(address) !== 0 && parseIP(address) !== undefined
}

function isLabel(text: string): boolean {
  return label.test(text)
}

function isDnsName(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  return name.length <= longestName && name.split('.').every(isLabel)
}

/** Collects the fields of one object that are not used. */
class OddFields {
  readonly #fields = new Set<string>()

  unless(isFine: boolean, field: string): boolean {
    if (!isFine) this.#fields.add(field)
    return isFine
  }

  texts(value: unknown, isFine: (text: string) => boolean, field: string): readonly string[] {
    const texts = asTexts(value).filter(isFine)
    this.unless(isListOf(value, texts.length), field)
    return texts
  }

  objects(value: unknown, field: string): readonly Record<string, unknown>[] {
    const objects = asObjects(value)
    this.unless(isListOf(value, objects.length), field)
    return objects
  }

  ports(value: unknown, field: string): readonly DnsPort[] {
    const ports = asObjects(value).slice(0, mostPorts).flatMap(portOf)
    this.unless(isListOf(value, ports.length), field)
    return ports
  }

  tell(object: KubeObject, tell: ReportMalformed): void {
    if (this.#fields.size > 0) tell(object, [...this.#fields])
  }
}

/** Servers omit empty lists, or write null. */
function isListOf(value: unknown, count: number): boolean {
  return Array.isArray(value) ? value.length === count : value === undefined || value === null
}

function portOf({ name, port, protocol }: Record<string, unknown>): readonly DnsPort[] {
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > highestPort) return []
  return [{ name: asText(name), port, protocol: asText(protocol) || 'TCP' }]
}

function withMetadata({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { managedFields: _, ownerReferences: __, ...kept } = metadata
  return { apiVersion, kind, metadata: kept }
}
