import type { KubeObject } from '../api/object.ts'
import type { Pod, Service } from '../api/types/core-v1.ts'
import type { EndpointSlice } from '../api/types/discovery-v1.ts'
import type { Log } from '../base/log.ts'
import { podType, serviceType } from '../client/builtin-types.ts'
import type { Informer, KubeClient, ResourceType } from '../client/contract.ts'
import { addressKey, dashed } from './address.ts'
import type { DnsPort, EndpointTable, NamedEndpoint, NamedService, NameSource } from './contract.ts'
import { isWritable, keptPod, keptService, keptSlice, type ReportMalformed } from './kept-objects.ts'

const serviceLabel = 'kubernetes.io/service-name'

export interface NameIndexOptions {
  readonly virtual: KubeClient
  /** As the virtual cluster serves them. */
  readonly slices: ResourceType
  /** The address at which Pods reach a Service on the host; undefined for one without an address. */
  readonly reachedAddress: (service: Service) => string | undefined
  /** The address at which they reach the API of the virtual cluster, if known by now. */
  readonly apiAddress: () => string | undefined
  readonly log: Log
}

/** Objects whose odd fields were reported. */
const mostTold = 1_000

/** The contents of a virtual cluster, by every name and address that can be asked for. */
export class NameIndex implements NameSource {
  readonly #options: NameIndexOptions
  readonly #services: Informer
  readonly #slices: Informer
  readonly #pods: Informer
  /** Built on first use, and dropped when a slice changes. */
  readonly #tables = new Map<string, EndpointTable>()
  readonly #told = new Set<string>()
  #version = 0

  constructor(options: NameIndexOptions) {
    this.#options = options
    const { virtual, slices } = options
    const tell: ReportMalformed = (object, fields) => this.#tellOdd(object, fields)
    this.#services = virtual.informer(serviceType, {
      keep: (service) => keptService(service, tell),
      indexes: {
        namespace: ({ metadata }) => [metadata.namespace ?? ''],
        address: (service) => keysOf(this.#addressesOf(service as Service)),
      },
    })
    this.#slices = virtual.informer(slices, {
      keep: (slice) => keptSlice(slice, tell),
      indexes: {
        service: (slice) => [sliceOwner(slice)],
        address: (slice) => keysOf(endpointsOf(slice as EndpointSlice).map(({ address }) => address)),
      },
    })
    this.#pods = virtual.informer(podType, {
      keep: (pod) => keptPod(pod, tell),
      indexes: {
        namespace: ({ metadata }) => [metadata.namespace ?? ''],
        address: ({ metadata, status }) => podKeys(metadata.namespace ?? '', status as Pod['status']),
        ownName: (pod) => ownNames(pod as Pod),
      },
    })
    for (const informer of [this.#services, this.#slices, this.#pods]) informer.onChange(() => this.#version++)
    this.#slices.onChange(({ before, after }) => {
      for (const slice of [before, after]) if (slice !== undefined) this.#tables.delete(sliceOwner(slice))
    })
  }

  get isComplete(): boolean {
    return this.#services.isSynced && this.#slices.isSynced && this.#pods.isSynced
  }

  get version(): number {
    return this.#version
  }

  service(namespace: string, name: string): NamedService | undefined {
    const service = this.#services.get({ namespace, name }) as Service | undefined
    if (service === undefined) return undefined
    const { type, externalName, clusterIP } = service.spec
    if (type === 'ExternalName') return externalName ? { form: 'alias', target: withoutDot(externalName) } : undefined
    const ports = portsOf(service.spec.ports)
    if (clusterIP === 'None') return { form: 'headless', ports }
    return { form: 'address', addresses: this.#addressesOf(service), ports }
  }

  endpoints(namespace: string, name: string): EndpointTable {
    const key = `${namespace}/${name}`
    const known = this.#tables.get(key)
    if (known !== undefined) return known
    const slices = this.#slices.indexed('service', key) as readonly EndpointSlice[]
    const table = tableOf(slices.flatMap(endpointsOf))
    this.#tables.set(key, table)
    return table
  }

  hasNamespace(namespace: string): boolean {
    return this.#services.hasIndexed('namespace', namespace) || this.#pods.hasIndexed('namespace', namespace)
  }

  hasPod(namespace: string, address: string): boolean {
    return this.#pods.hasIndexed('address', `${namespace}/${address}`)
  }

  podsNamed(namespace: string, subdomain: string, hostname: string): readonly (readonly string[])[] {
    const pods = this.#pods.indexed('ownName', `${namespace}/${subdomain}/${hostname}`) as readonly Pod[]
    return pods.map(({ status }) => (status?.podIPs ?? []).map(({ ip }) => ip))
  }

  nameAt(address: string): string | undefined {
    const [service] = this.#services.indexed('address', address)
    if (service !== undefined) return `${service.metadata.name}.${service.metadata.namespace}.svc`
    const [slice] = this.#slices.indexed('address', address)
    if (slice === undefined) return undefined
    const endpoint = endpointsOf(slice as EndpointSlice).find((each) => addressKey(each.address) === address)
    const [namespace, name] = sliceOwner(slice).split('/')
    return endpoint && `${endpoint.hostname}.${name}.${namespace}.svc`
  }

  stop(): void {
    for (const informer of [this.#services, this.#slices, this.#pods]) informer.stop()
  }

  /** The API has the address at which Pods reach it, whatever address its Service has in the virtual cluster. */
  #addressesOf(service: Service): readonly string[] {
    const { reachedAddress, apiAddress } = this.#options
    const { name, namespace } = service.metadata
    const api = name === 'kubernetes' && namespace === 'default' ? apiAddress() : undefined
    if (api !== undefined) return [api]
    const first = reachedAddress(service)
    if (first === undefined) return []
    const { clusterIP, clusterIPs = [] } = service.spec
    return first === clusterIP && clusterIPs.length > 0 ? clusterIPs : [first].filter(isWritable)
  }

  /** Once for each object, so that a server that changes it all the time fills no log. */
  #tellOdd({ kind, metadata: { namespace = '', name = '' } }: KubeObject, fields: readonly string[]): void {
    const key = `${kind} ${namespace}/${name}`
    if (this.#told.has(key)) return
    if (this.#told.size >= mostTold) this.#told.clear()
    this.#told.add(key)
    this.#options.log.warn('fields have a form of which no names can be made, and are left out', {
      kind,
      namespace,
      name,
      fields: fields.join(', '),
    })
  }
}

function keysOf(addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => addressKey(address) ?? [])
}

function podKeys(namespace: string, status: Pod['status']): readonly string[] {
  return keysOf((status?.podIPs ?? []).map(({ ip }) => ip)).map((key) => `${namespace}/${key}`)
}

/** Without a hostname, a Pod is called by its name. Objects of a server of another kind may have no spec. */
function ownNames({ metadata, spec, status }: Pod): readonly string[] {
  const { hostname, subdomain } = spec ?? {}
  if (!subdomain || (status?.podIPs ?? []).length === 0) return []
  return [`${metadata.namespace}/${subdomain}/${hostname || metadata.name}`.toLowerCase()]
}

function sliceOwner({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.labels?.[serviceLabel] ?? ''}`
}

function tableOf(all: readonly NamedEndpoint[]): EndpointTable {
  const byHostname = new Map<string, NamedEndpoint[]>()
  for (const endpoint of all) {
    const others = byHostname.get(endpoint.hostname)
    if (others === undefined) byHostname.set(endpoint.hostname, [endpoint])
    else others.push(endpoint)
  }
  return { all, byHostname }
}

/** Endpoints that are ready, or whose Service publishes them before they are. */
function endpointsOf({ endpoints, ports }: EndpointSlice): readonly NamedEndpoint[] {
  const named = portsOf(ports)
  return (endpoints ?? []).flatMap(({ addresses, hostname }) =>
    (addresses ?? []).map((address) => ({
      hostname: (hostname || dashed(address)).toLowerCase(),
      address,
      ports: named,
    })),
  )
}

function portsOf(ports: EndpointSlice['ports'] | Service['spec']['ports'] = []): readonly DnsPort[] {
  return (ports ?? []) as readonly DnsPort[]
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name
}
