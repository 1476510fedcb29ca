import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Informer, KubeClient, ResourceType } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { serviceSpecOf } from '../../sync/kinds/service-spec.ts'
import { hostNamesOf } from '../../sync/names/host-names.ts'
import { copySelector, kindMarkOf, virtualNameOf } from '../../sync/names/markers.ts'
import { sameName, type TenantPlace } from '../../sync/names/names.ts'

const services: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'services',
  kind: 'Service',
  namespaced: true,
  hasStatus: true,
}

/** The copies of Services on the host, for a replica that serves the API and does not sync. */
export class CopiedServices {
  readonly #identity: TenantPlace
  readonly #copies: Informer
  #config: EffectiveConfig

  constructor(host: Pick<KubeClient, 'informer'>, identity: TenantPlace, config: EffectiveConfig) {
    this.#identity = identity
    this.#config = config
    const isSpread = config.sync.toHost.namespaces.enabled
    this.#copies = host.informer(services, {
      labelSelector: copySelector(identity),
      ...(!isSpread && { namespace: identity.hostNamespace }),
    })
  }

  reconfigure(config: EffectiveConfig): void {
    this.#config = config
  }

  addressOf(service: ObjectName): string | undefined {
    const { hostOf } = hostNamesOf(this.#identity, this.#config)
    const place = hostOf(service)
    const copy = place && this.#copies.get(place)
    if (copy === undefined) return undefined
    const owner = { identity: this.#identity, kindMark: kindMarkOf(services) }
    const virtual = virtualNameOf(copy, owner, hostOf)
    return virtual !== undefined && sameName(virtual, service) ? serviceSpecOf(copy).clusterIP : undefined
  }

  stop(): void {
    this.#copies.stop()
  }
}
