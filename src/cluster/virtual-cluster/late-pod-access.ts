import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createHttpsForwarder } from '../../client/forward/over-https.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { hostNamesOf } from '../../sync/names/host-names.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { HostMetrics } from '../../tenant/metrics/host-metrics.ts'
import type { PodAccess } from '../../tenant/pod-access/pod-route.ts'
import type { Tenant } from '../../tenant/tenant.ts'

export interface PodAccessOptions {
  readonly identity: TenantPlace
  readonly host: KubeClient
  readonly virtual: KubeClient
  /** Access to the host. */
  readonly access: ClusterAccess
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
}

/** The control plane serves before connections into Pods and to Services are possible. Open ones end with it. */
export class LatePodAccess {
  readonly #stopping = new AbortController()
  #current: PodAccess | undefined
  #metrics: HostMetrics | undefined
  #tenant: Tenant | undefined
  #close: () => void = () => {}

  /** Undefined until the tenant exists. */
  get current(): PodAccess | undefined {
    return this.#current
  }

  /** Undefined until the tenant exists. */
  get metrics(): HostMetrics | undefined {
    return this.#metrics
  }

  /** Undefined until the tenant exists. */
  get config(): EffectiveConfig | undefined {
    return this.#tenant?.config
  }

  addressOfCopy(service: ObjectName): string | undefined {
    return this.#tenant?.addressOfCopy(service)
  }

  begin(tenant: Tenant, { identity, host, virtual, access, env, log }: PodAccessOptions): void {
    this.#tenant = tenant
    const forwarder = createHttpsForwarder(access, env)
    this.#close = () => forwarder.close()
    const hostOf = (name: ObjectName) => hostNamesOf(identity, tenant.config).hostOf(name)
    const clusters = { identity, host, virtual, hostOf }
    this.#metrics = new HostMetrics({ ...clusters, config: () => tenant.config, clock: monotonicClock, log })
    this.#current = {
      ...clusters,
      isOn: () => tenant.config.sync.toHost.pods.enabled,
      forwarder,
      random: systemRandom,
      stopping: this.#stopping.signal,
    }
  }

  stop(): void {
    this.#stopping.abort()
    this.#close()
  }
}
