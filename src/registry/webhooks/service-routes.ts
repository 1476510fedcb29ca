import { headless } from '../../api/core/services/service-questions.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import type { Endpoints, Service, ServicePort } from '../../api/types/core-v1.ts'
import type { Engine } from '../context.ts'
import type { ResolveService, ServiceRoute } from './contract.ts'

const usualPort = 443

/** The address that a host has assigned to the copy of a Service. Undefined: it has none, or it is not known yet. */
export type AddressOfCopy = (service: { readonly namespace: string; readonly name: string }) => string | undefined

/**
 * Uses the address that the host has assigned to the copy of a Service. The address in the Service itself may have been
 * written by a user.
 */
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

/** Uses one of the endpoints of a Service, where nothing routes cluster addresses. */
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
