import type { Service } from '../../../api/types/core-v1.ts'
import type { TextMap } from '../../contract.ts'
import { hostClusterIP } from '../../names/markers.ts'
import type { ServerAddress } from '../contract.ts'

/** The parts of a Service that variables are made from. */
export interface VariableService {
  readonly name: string
  readonly address: string
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[]
}

/** A ConfigMap of this size is accepted by every host. */
const mostCharacters = 512 * 1024
const variableName = /^[A-Za-z_]/

/** The variables that kubelets make from a Service. */
function serviceVariables({ name, address, ports }: VariableService): TextMap {
  const prefix = upperCase(name)
  const [first] = ports
  if (first === undefined || !variableName.test(prefix)) return {}
  const named = ports.flatMap(({ name: port, port: number }) =>
    port ? [[`${prefix}_SERVICE_PORT_${upperCase(port)}`, String(number)] as const] : [],
  )
  return {
    [`${prefix}_SERVICE_HOST`]: address,
    [`${prefix}_SERVICE_PORT`]: String(first.port),
    ...Object.fromEntries(named),
    [`${prefix}_PORT`]: urlOf(address, first),
    ...Object.assign({}, ...ports.map((port) => portVariables(prefix, address, port))),
  }
}

function portVariables(prefix: string, address: string, port: VariableService['ports'][number]): TextMap {
  const protocol = port.protocol ?? 'TCP'
  const one = `${prefix}_PORT_${port.port}_${protocol.toUpperCase()}`
  return {
    [one]: urlOf(address, port),
    [`${one}_PROTO`]: protocol.toLowerCase(),
    [`${one}_PORT`]: String(port.port),
    [`${one}_ADDR`]: address,
  }
}

function urlOf(address: string, { port, protocol = 'TCP' }: VariableService['ports'][number]): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${protocol.toLowerCase()}://${host}:${port}`
}

function upperCase(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

/**
 * The variables by which clients in a Pod find the API of the virtual cluster. If its address is not known, they are
 * set but empty, because the host would otherwise set its own: clients then report that they are in no cluster.
 */
export function apiVariables(api: ServerAddress | undefined): TextMap {
  const { host, port } = api ?? { host: '', port: 443 }
  const variables = serviceVariables({ name: 'kubernetes', address: host, ports: [{ name: 'https', port }] })
  return api === undefined ? Object.fromEntries(Object.keys(variables).map((name) => [name, ''])) : variables
}

/** The variables for Pods of a namespace about its Services, sorted by name, as far as they fit. */
export function linkVariables(services: readonly Service[]): TextMap {
  const variables: Record<string, string> = {}
  let room = mostCharacters
  const sorted = [...services].sort((left, right) => (nameIn(left) < nameIn(right) ? -1 : 1))
  for (const service of sorted) {
    const added = Object.entries(serviceVariables(variableService(service)))
    room -= added.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    if (room < 0) break
    for (const [name, value] of added) variables[name] = value
  }
  return variables
}

function nameIn({ metadata }: Service): string {
  return metadata.name ?? ''
}

/** A Service without an address has no variables, and the API has its own. */
function variableService(service: Service): VariableService {
  const { spec, metadata } = service
  const address = reachedAddress(service)
  const isApi = metadata.name === 'kubernetes' && metadata.namespace === 'default'
  const ports = address === undefined || isApi ? [] : (spec.ports ?? [])
  return { name: metadata.name ?? '', address: address ?? '', ports }
}

/** The address at which Pods on the host reach a Service; undefined if it has none of its own. */
export function reachedAddress({ metadata, spec }: Service): string | undefined {
  const address = metadata.annotations?.[hostClusterIP] ?? spec.clusterIP
  return spec.type === 'ExternalName' || !address || address === 'None' ? undefined : address
}
