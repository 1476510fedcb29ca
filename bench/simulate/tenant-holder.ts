import { setTimeout as pause } from 'node:timers/promises'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import type { Log } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KeptProof, LinkState, ProofKeeper, TenantLink, VirtualApi } from '../../src/tenant/link/contract.ts'
import { startTenantLink } from '../../src/tenant/link/link-keeper.ts'
import { waitedMsOf } from '../servers/usage.ts'
import { type Holder, type HolderOptions, type LinkHistory, tenantName } from './contract.ts'

/** How many come at the same time when the simulation starts. */
const atOnce = 20
const version = { tenant: '0.1.0', kubernetes: 'v1.32.0' }

/**
 * Holds many tenants in one process. They differ from real tenants in what is behind the link, and where the proof is
 * kept.
 */
export class TenantHolder implements Holder {
  readonly #options: HolderOptions
  readonly #env: Readonly<Record<string, string>>
  readonly #links: TenantLink[] = []
  readonly #linked = new Set<number>()
  #linkedAtMs: number[] = []
  #lostAtMs: number[] = []
  #failed: Record<string, number> = {}

  constructor(options: HolderOptions) {
    this.#options = options
    this.#env = { SSL_CERT_FILE: options.authorityFile }
  }

  async open(from: number, to: number): Promise<void> {
    for (let next = from; next < to; ) {
      const end = Math.min(to, next + atOnce)
      const numbers = Array.from({ length: end - next }, (_, index) => next + index)
      for (const number of numbers) this.#links.push(this.#start(number))
      while (!numbers.every((number) => this.#linked.has(number))) await pause(5)
      next = end
    }
  }

  async history(): Promise<LinkHistory> {
    const history = {
      linked: this.#linked.size,
      linkedAtMs: this.#linkedAtMs,
      lostAtMs: this.#lostAtMs,
      failed: this.#failed,
      waitedMs: waitedMsOf(process.pid),
    }
    this.#linkedAtMs = []
    this.#lostAtMs = []
    this.#failed = {}
    return history
  }

  async stop(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.stop()))
  }

  #start(number: number): TenantLink {
    const { urls, accessKey, project } = this.#options
    const name = tenantName(number)
    return startTenantLink({
      key: {
        source: { type: 'environment' },
        url: urls[number % urls.length] ?? '',
        accessKey,
        project,
        insecure: false,
      },
      identity: { name, namespace: 'simulated', serviceUid: `uid-of-${name}`, version },
      proofs: proofInMemory(),
      processName: `${name}-0`,
      virtualApi,
      env: this.#env,
      elapsed: monotonicClock,
      random: systemRandom,
      log: silent,
      onState: (state) => this.#became(number, state),
    })
  }

  #became(number: number, state: LinkState): void {
    const nowMs = systemClock.now()
    if (state.state === 'linked') {
      this.#linked.add(number)
      this.#linkedAtMs.push(nowMs)
    } else if (this.#linked.delete(number)) {
      this.#lostAtMs.push(nowMs)
    } else if (state.state === 'waiting') {
      const { reason } = state.problem
      this.#failed[reason] = (this.#failed[reason] ?? 0) + 1
    }
  }
}

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'one', namespace: 'default' },
  data: { a: 'b' },
}
const answer = Buffer.from(JSON.stringify(object))

const virtualApi: VirtualApi = {
  serve: ({ stream }) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': answer.length })
    stream.end(answer)
  },
  bindClusterRole: async () => {},
}

const silent: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
  flush: () => {},
}

function proofInMemory(): ProofKeeper {
  let kept: KeptProof | undefined
  return {
    read: async () => kept,
    keep: async (proof) => {
      kept = proof
      return proof
    },
  }
}
