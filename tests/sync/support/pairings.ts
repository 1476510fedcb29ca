import { findKubernetes } from '../../support/clusters/kubernetes-programs.ts'
import { type Cluster, type Flavor, type HostCluster, startCluster } from './clusters.ts'

/** The API servers of the virtual cluster and of the host. */
export interface Pairing {
  readonly virtual: Flavor
  readonly host: Flavor
}

export const pairings: readonly Pairing[] = [
  { virtual: 'embedded', host: 'embedded' },
  { virtual: 'embedded', host: 'real' },
  { virtual: 'real', host: 'embedded' },
  { virtual: 'real', host: 'real' },
]

/** Why a pairing cannot run here; `undefined` if it can. Where all are required, a missing one is a failure. */
export function missingFor({ virtual, host }: Pairing): string | undefined {
  if (virtual === 'embedded' && host === 'embedded') return undefined
  const search = findKubernetes()
  return search.outcome === 'missing' ? `no kube-apiserver: ${search.reason}` : undefined
}

export function isRealRequired(): boolean {
  return process.env.CI === 'true' || (process.env.TENANT_REQUIRE_REAL_KUBERNETES ?? '') !== ''
}

export function nameOfPairing({ virtual, host }: Pairing): string {
  return `${virtual}/${host}`
}

export interface PairedClusters<Host extends HostCluster = HostCluster> {
  readonly virtual: Cluster
  readonly host: Host
}

/** The clusters of pairings, each started when it is first needed. */
export class Worlds<Host extends HostCluster> {
  readonly #startHost: (flavor: Flavor) => Promise<Host>
  readonly #hosts = new Map<Flavor, Promise<Host>>()
  readonly #virtual = new Map<Flavor, Promise<Cluster>>()

  /** `startHost` is for hosts that others may use, too; `startCluster` for one that is killed. */
  constructor(startHost: (flavor: Flavor) => Promise<Host>) {
    this.#startHost = startHost
  }

  async pair({ virtual, host }: Pairing): Promise<PairedClusters<Host>> {
    const [virtualCluster, hostCluster] = await Promise.all([
      startedOnce(this.#virtual, virtual, () => startCluster(virtual)),
      startedOnce(this.#hosts, host, () => this.#startHost(host)),
    ])
    return { virtual: virtualCluster, host: hostCluster }
  }

  async remove(): Promise<void> {
    const started = await Promise.allSettled([...this.#virtual.values(), ...this.#hosts.values()])
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.remove() : undefined)))
  }
}

function startedOnce<Key, Started>(
  all: Map<Key, Promise<Started>>,
  key: Key,
  start: () => Promise<Started>,
): Promise<Started> {
  const started = all.get(key) ?? start()
  all.set(key, started)
  started.catch(() => all.delete(key))
  return started
}
