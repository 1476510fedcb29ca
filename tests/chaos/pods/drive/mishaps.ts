import type { FaultyHttps, PassingRequest } from '../../../support/network/faulty-https.ts'
import { seededFaults } from '../../../support/network/seeded-faults.ts'
import type { Cluster } from '../../../sync/support/clusters.ts'
import type { Syncer } from '../../../sync/support/syncer.ts'
import type { FaultyPath } from '../../faulty-path.ts'
import type { Away, Mishap } from './operations.ts'

export interface Machinery {
  readonly seed: number
  readonly tenant: Syncer
  readonly host: Cluster
  /** The tenant's path to its host. */
  readonly path: FaultyPath
}

type LastingMishap = Extract<Mishap, { readonly lasting: number }>
type Part = 'tenant' | 'host' | 'network' | 'answers'

interface Lasting {
  readonly until: number
  end(): Promise<void>
}

/** Each part fails in one way at a time. */
export class Mishaps {
  readonly #machinery: Machinery
  readonly #lasting = new Map<Part, Lasting>()

  constructor(machinery: Machinery) {
    this.#machinery = machinery
  }

  away(): Away {
    return { tenant: this.#lasting.has('tenant'), host: this.#lasting.has('host') }
  }

  /** Returns what happened, or why nothing did. */
  async begin(mishap: Mishap, index: number): Promise<string> {
    const { path } = this.#machinery
    if (!('lasting' in mishap)) {
      mishap.do === 'drop watches' ? path.https.dropWatches() : path.tcp.drop()
      return 'done'
    }
    const part = partOf(mishap)
    if (this.#lasting.has(part)) return 'it fails already'
    const end = await this.#fail(mishap, index)
    this.#lasting.set(part, { until: index + mishap.lasting, end })
    return 'done'
  }

  /** Ends the mishaps whose time is over. */
  async endUntil(index: number): Promise<void> {
    for (const [part, { until, end }] of [...this.#lasting]) {
      if (until > index) continue
      await end()
      this.#lasting.delete(part)
    }
  }

  async #fail(mishap: LastingMishap, index: number): Promise<() => Promise<void>> {
    const { seed, tenant, host, path } = this.#machinery
    switch (mishap.do) {
      case 'kill tenant':
        await tenant.kill()
        // Its host may be away: the tenant becomes ready when the host is back.
        return async () => tenant.launch()
      case 'freeze tenant':
        tenant.freeze()
        return async () => tenant.thaw()
      case 'kill host':
        await host.server.kill()
        return () => host.server.start()
      case 'freeze host':
        host.server.freeze()
        return async () => host.server.thaw()
      case 'weather':
        await path.tcp.set(mishap.weather)
        return () => path.tcp.set({ kind: 'fine' })
      case 'refuse': {
        const rates = { reads: mishap.percent, writes: mishap.percent, watches: mishap.percent }
        return chosen(path.https, seededFaults(seed + index, rates))
      }
      case 'slow':
        return chosen(path.https, () => ({ kind: 'delayed', ms: mishap.ms }))
    }
  }
}

function chosen(https: FaultyHttps, faultOf: (request: PassingRequest) => ReturnType<ReturnType<typeof seededFaults>>) {
  https.choose(faultOf)
  return async () => https.choose(() => ({ kind: 'none' }))
}

function partOf(mishap: LastingMishap): Part {
  if (mishap.do === 'kill tenant' || mishap.do === 'freeze tenant') return 'tenant'
  if (mishap.do === 'kill host' || mishap.do === 'freeze host') return 'host'
  return mishap.do === 'weather' ? 'network' : 'answers'
}
