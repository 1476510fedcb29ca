import {
  allocationsOf,
  needsClusterIP,
  needsHealthCheckNodePort,
  needsNodePorts,
  releasedAllocations,
  withClusterIP,
  withHealthCheckNodePort,
  withNodePort,
} from '../../api/core/services/service-allocation.ts'
import { internalError, invalid } from '../../api/error.ts'
import { type FieldError, invalidField } from '../../api/field-error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Service } from '../../api/types/core-v1.ts'
import type { Random } from '../../base/random.ts'
import { type Store, StoreUnavailable } from '../../storage/contract.ts'
import type { Admitted, Hooks } from '../context.ts'
import { type AddressRange, addressRange } from './address-range.ts'
import { ExclusiveClaims } from './claims.ts'
import { claimAny } from './pick.ts'

export interface ServiceNetwork {
  /** The block from which cluster addresses are assigned, such as `10.96.0.0/16`. */
  readonly serviceCidr: string
  readonly firstNodePort: number
  readonly lastNodePort: number
}

export const defaultServiceNetwork: ServiceNetwork = {
  serviceCidr: '10.96.0.0/16',
  firstNodePort: 30_000,
  lastNodePort: 32_767,
}

/** Assigns cluster addresses and node ports to services, each to one service only, and releases them. */
export class ServiceAllocator {
  readonly range: AddressRange
  readonly addresses: ExclusiveClaims
  readonly nodePorts: ExclusiveClaims
  readonly #network: ServiceNetwork
  readonly #random: Random

  constructor(store: Store, random: Random, network: ServiceNetwork) {
    this.range = addressRange(network.serviceCidr)
    this.addresses = new ExclusiveClaims(store, 'cluster-addresses')
    this.nodePorts = new ExclusiveClaims(store, 'node-ports')
    this.#network = network
    this.#random = random
  }

  hooks(): Hooks {
    return {
      admitCreate: (object) => this.#allocate(asService(object), undefined),
      admitUpdate: (object, old) => this.#allocate(asService(object), asService(old.object)),
      abandon: (object, old) => this.releaseUnused(object, old),
      removed: (object) => this.#releaseAll(object),
    }
  }

  /**
   * A client that has deleted a service finds its addresses free. If the store is unavailable now, the controller
   * releases them later.
   */
  async #releaseAll(object: KubeObject): Promise<void> {
    try {
      await this.releaseUnused(object, undefined)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  /** Releases values that a service no longer needs after its deletion or a change of type. */
  async releaseUnused(before: KubeObject, after: KubeObject | undefined): Promise<void> {
    const released = releasedAllocations(asService(before), after === undefined ? undefined : asService(after))
    await this.#releaseValues(released.clusterIPs, released.nodePorts, allocationOwner(before))
  }

  async #allocate(service: Service, old: Service | undefined): Promise<Admitted> {
    const owner = allocationOwner(service)
    await this.#claimGiven(service, old, owner)
    const addressed = needsClusterIP(service) ? withClusterIP(service, await this.#anyAddress(owner)) : service
    const ported = await this.#withNodePorts(addressed, owner)
    if (!needsHealthCheckNodePort(ported)) return { object: ported }
    return { object: withHealthCheckNodePort(ported, Number(await this.#anyNodePort(owner))) }
  }

  async #claimGiven(service: Service, old: Service | undefined, owner: string): Promise<void> {
    const given = allocationsOf(service)
    const had = old === undefined ? { clusterIPs: [], nodePorts: [] } : allocationsOf(old)
    const errors: FieldError[] = []
    for (const address of given.clusterIPs.filter((each) => !had.clusterIPs.includes(each))) {
      const problem = await this.#problemWithAddress(address, owner)
      if (problem !== undefined) errors.push(invalidField('spec.clusterIPs', [address], problem))
    }
    for (const port of given.nodePorts.filter((each) => !had.nodePorts.includes(each))) {
      const problem = await this.#problemWithNodePort(port, owner)
      if (problem !== undefined) errors.push(invalidField(nodePortField(service, port), port, problem))
    }
    if (errors.length > 0) throw invalid(serviceKind, service.metadata.name ?? '', errors)
  }

  async #problemWithAddress(address: string, owner: string): Promise<string | undefined> {
    if (!this.range.contains(address)) {
      return `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${this.range.cidr}`
    }
    const claimed = await this.addresses.claim(address, owner)
    return claimed ? undefined : `failed to allocate IP ${address}: provided IP is already allocated`
  }

  async #problemWithNodePort(port: number, owner: string): Promise<string | undefined> {
    const { firstNodePort, lastNodePort } = this.#network
    if (port < firstNodePort || port > lastNodePort) {
      return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`
    }
    return (await this.nodePorts.claim(String(port), owner)) ? undefined : 'provided port is already allocated'
  }

  async #withNodePorts(service: Service, owner: string): Promise<Service> {
    let ported = service
    for (const index of needsNodePorts(service)) {
      ported = withNodePort(ported, index, Number(await this.#anyNodePort(owner)))
    }
    return ported
  }

  async #anyAddress(owner: string): Promise<string> {
    const address = await claimAny(this.addresses, owner, this.range.size, this.range.at, this.#random)
    if (address === undefined) throw internalError('failed to allocate a serviceIP: range is full')
    return address
  }

  async #anyNodePort(owner: string): Promise<string> {
    const { firstNodePort, lastNodePort } = this.#network
    const size = lastNodePort - firstNodePort + 1
    const at = (index: number): string => String(firstNodePort + index)
    const port = await claimAny(this.nodePorts, owner, size, at, this.#random)
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full')
    return port
  }

  async #releaseValues(addresses: readonly string[], ports: readonly number[], owner: string): Promise<void> {
    for (const address of addresses) await this.addresses.release(address, owner)
    for (const port of ports) await this.nodePorts.release(String(port), owner)
  }
}

const serviceKind = { kind: 'Service', group: '' }

/** The verbs pass only Services to these hooks. */
function asService(object: KubeObject): Service {
  return object as Service
}

export function allocationOwner({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}/${metadata.uid}`
}

function nodePortField(service: Service, port: number): string {
  const index = (service.spec.ports ?? []).findIndex(({ nodePort }) => nodePort === port)
  return index < 0 ? 'spec.healthCheckNodePort' : `spec.ports[${index}].nodePort`
}
