import { backoffMs } from '../../base/backoff.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { systemRandom } from '../../base/random.ts'
import type { PodNetwork } from '../../sync/companions/contract.ts'

const pauses = { firstMs: 200, longestMs: 30_000 }

export interface PodNetworkSteps {
  readonly find: (signal: AbortSignal) => Promise<PodNetwork>
  /** The result takes effect when this resolves. */
  readonly prepare: (network: PodNetwork) => Promise<void>
  readonly log: Log
}

/** Where Pods reach the virtual cluster, once the host has answered. An unreachable host holds up nothing else. */
export class LatePodNetwork {
  readonly #stopping = new AbortController()
  #current: PodNetwork | undefined

  /** Undefined until the host has answered. */
  get current(): PodNetwork | undefined {
    return this.#current
  }

  /** Asks until the host answers. */
  async learn({ find, prepare, log }: PodNetworkSteps): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        const network = await find(signal)
        await prepare(network)
        this.#current = network
        return
      } catch (error) {
        if (failures === 1 && !signal.aborted) {
          log.warn('Pods wait until the host tells where they reach the virtual cluster', { error })
        }
        await rest(backoffMs(failures, pauses, systemRandom), signal)
      }
    }
  }

  stop(): void {
    this.#stopping.abort()
  }
}
