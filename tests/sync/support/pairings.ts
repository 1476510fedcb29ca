import { findKubernetes } from '../../support/kubernetes-programs.ts'
import { type Cluster, type Flavour, startCluster } from './clusters.ts'

/** Which API serves the virtual cluster, and which the host. */
export interface Pairing {
  readonly virtual: Flavour
  readonly host: Flavour
}

export const pairings: readonly Pairing[] = [
  { virtual: 'embedded', host: 'embedded' },
  { virtual: 'embedded', host: 'real' },
  { virtual: 'real', host: 'embedded' },
  { virtual: 'real', host: 'real' },
]

/** Why a pairing cannot run here; `undefined` when it can. Where all are required a missing one is a failure. */
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

/** The clusters of a pairing, each started when it is first needed. */
export class Worlds {
  readonly #started = new Map<string, Promise<Cluster>>()

  /** One host, and a virtual cluster for each lane. */
  async pair({ virtual, host }: Pairing, lane = 0): Promise<{ readonly virtual: Cluster; readonly host: Cluster }> {
    const [virtualCluster, hostCluster] = await Promise.all([
      this.#get(`virtual ${lane}`, virtual),
      this.#get('host', host),
    ])
    return { virtual: virtualCluster, host: hostCluster }
  }

  async remove(): Promise<void> {
    const started = await Promise.allSettled(this.#started.values())
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.remove() : undefined)))
  }

  #get(side: string, flavour: Flavour): Promise<Cluster> {
    const key = `${side} ${flavour}`
    const started = this.#started.get(key) ?? startCluster(flavour)
    this.#started.set(key, started)
    started.catch(() => this.#started.delete(key))
    return started
  }
}
