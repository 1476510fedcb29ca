import { headless } from '../../api/core/service-questions.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import type { Endpoints, Service, ServicePort } from '../../api/types/core-v1.ts'
import type { Engine } from '../context.ts'
import type { ResolveService, ServiceRoute } from './contract.ts'

const usualPort = 443

/** The address that a host has given the copy of a Service. Undefined: it has none, or it is not known yet. */
export type AddressOfCopy = (service: { readonly namespace: string; readonly name: string }) => string | undefined

/** By the address that the host has given the copy of a Service. What the Service itself says, a user may have written. */
export function byCopiedAddress(addressOfCopy: AddressOfCopy): (engine: Engine) => ResolveService {
  return (engine) => (reference) => {
    const { service, port } = foundService(engine, reference)
    const { type, externalName = '' } = service.spec
    if (type === 'ExternalName') return { host: externalName, port, isAssigned: false }
    portOf(service, port)
    const host = addressOfCopy(reference) ?? ''
    if (host === '') throw new Error(`service ${quoted(reference.name)} has no address on the host yet`)
    if (host === headless) throw new Error(`cannot route to service with ClusterIP ${quoted(host)}`)
    return { host, port, isAssigned: true }
  }
}

/** By one of the addresses behind a Service: where nothing routes the addresses of Services. */
export function byEndpoints(engine: Engine): ResolveService {
  return (reference) => {
    const { service, port } = foundService(engine, reference)
    const { type, externalName = '' } = service.spec
    if (type === 'ExternalName') return { host: externalName, port, isAssigned: false }
    return endpointOf(engine, reference, portOf(service, port))
  }
}

function foundService(engine: Engine, { namespace, name, port = usualPort }: ServiceReference) {
  const found = engine.find('', 'Service')?.cache.get({ namespace, name })
  if (found === undefined) throw new Error(`service ${quoted(name)} not found`)
  return { service: found.object as Service, port }
}

function portOf({ metadata, spec }: Service, wanted: number): ServicePort {
  const found = (spec.ports ?? []).find(({ port }) => port === wanted)
  if (found !== undefined) return found
  throw new Error(`no service port ${wanted} found for service ${quoted(metadata.name ?? '')}`)
}

function endpointOf(
  engine: Engine,
  { namespace, name }: ServiceReference,
  { name: portName = '' }: ServicePort,
): ServiceRoute {
  const endpoints = engine.find('', 'Endpoints')?.cache.get({ namespace, name })?.object as Endpoints | undefined
  for (const { addresses = [], ports = [] } of endpoints?.subsets ?? []) {
    const port = ports.find((each) => (each.name ?? '') === portName)
    const [address] = addresses
    if (port !== undefined && address !== undefined) return { host: address.ip, port: port.port, isAssigned: false }
  }
  throw new Error(`no endpoints available for service ${quoted(name)}`)
}
