import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { deepEqual } from '../../base/equal.ts'
import { serviceType } from '../../client/builtin-types.ts'
import type { Informer, KubeClient } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { serviceSpecOf } from '../../sync/kinds/service-spec.ts'
import { hostNamesOf } from '../../sync/names/host-names.ts'
import { copySelector, kindMarkOf, virtualNameOf } from '../../sync/names/markers.ts'
import { sameName, type TenantPlace } from '../../sync/names/names.ts'

/** The copies of Services on the host, for a replica that serves the API and does not sync. */
export class CopiedServices {
  readonly #host: Pick<KubeClient, 'informer'>
  readonly #identity: TenantPlace
  #config: EffectiveConfig
  /** Undefined: Services are not synced. */
  #copies: Informer | undefined

  constructor(host: Pick<KubeClient, 'informer'>, identity: TenantPlace, config: EffectiveConfig) {
    this.#host = host
    this.#identity = identity
    this.#config = config
    this.#copies = this.#follow()
  }

  /** A change may move copies, or enable or disable them. */
  reconfigure(config: EffectiveConfig): void {
    const { toHost: before } = this.#config.sync
    const { toHost } = config.sync
    this.#config = config
    const areSamePlaces = deepEqual(toHost.namespaces, before.namespaces)
    if (areSamePlaces && toHost.services.enabled === before.services.enabled) return
    this.stop()
    this.#copies = this.#follow()
  }

  addressOf(service: ObjectName): string | undefined {
    const { hostOf } = hostNamesOf(this.#identity, this.#config)
    const place = hostOf(service)
    const copy = place && this.#copies?.get(place)
    if (copy === undefined) return undefined
    const owner = { identity: this.#identity, kindMark: kindMarkOf(serviceType) }
    const virtual = virtualNameOf(copy, owner, hostOf)
    return virtual !== undefined && sameName(virtual, service) ? serviceSpecOf(copy).clusterIP : undefined
  }

  stop(): void {
    this.#copies?.stop()
  }

  #follow(): Informer | undefined {
    const { toHost } = this.#config.sync
    if (!toHost.services.enabled) return undefined
    return this.#host.informer(serviceType, {
      labelSelector: copySelector(this.#identity),
      ...(!toHost.namespaces.enabled && { namespace: this.#identity.hostNamespace }),
    })
  }
}
