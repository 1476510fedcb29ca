import type { Chance } from '../../../support/chance.ts'
import type { ClusterClient, Method } from '../../../sync/support/cluster-client.ts'
import { hasEnded, isReady, type Seen } from '../checker/account.ts'
import type { Nodes } from './nodes.ts'
import { foreignScheduler } from './objects.ts'

const intervalMs = 30
const mostAtOnce = 20
const mergePatch = 'application/merge-patch+json'

type Step = 'bind' | 'start' | 'fall silent' | 'remove' | 'bind claim'

export interface KubeletsOptions {
  readonly host: ClusterClient
  readonly namespace: string
  readonly nodes: Nodes
  readonly chance: Chance
  /** Pods and claims of the host, without the test's own. */
  readonly pods: () => readonly Seen[]
  readonly claims: () => readonly Seen[]
}

/**
 * Plays a scheduler, kubelets, the node controller and a provisioner: each step after a while, repeated until it
 * succeeds.
 */
export class Kubelets {
  readonly #options: KubeletsOptions
  readonly #due = new Map<string, number>()
  readonly #busy = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #addresses = 0

  constructor(options: KubeletsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), intervalMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { pods, claims } = this.#options
    for (const each of [...pods(), ...claims()]) {
      if (this.#busy.size >= mostAtOnce) return
      const step = this.#stepOf(each)
      if (step !== undefined && this.#isDue(`${each.metadata.uid} ${step}`)) void this.#take(each, step)
    }
  }

  #isDue(key: string): boolean {
    const atMs = this.#due.get(key)
    if (atMs === undefined) this.#due.set(key, performance.now() + this.#options.chance.between(10, 250))
    return atMs !== undefined && atMs <= performance.now() && !this.#busy.has(key)
  }

  #stepOf(seen: Seen): Step | undefined {
    const { nodes } = this.#options
    const { kind, metadata, spec, status } = seen
    if (kind !== 'Pod') return status?.phase === 'Bound' || metadata.deletionTimestamp ? undefined : 'bind claim'
    const node = spec?.nodeName
    if (node === undefined) return metadata.deletionTimestamp || isOfOthers(seen) ? undefined : 'bind'
    if (nodes.isSilent(node)) return isReady(seen) ? 'fall silent' : undefined
    if (nodes.isGone(node) || metadata.deletionTimestamp !== undefined) return 'remove'
    return hasEnded(seen) || isReady(seen) ? undefined : 'start'
  }

  async #take(seen: Seen, step: Step): Promise<void> {
    const key = `${seen.metadata.uid} ${step}`
    this.#busy.add(key)
    await this.#do(seen, step).catch(() => {})
    this.#busy.delete(key)
    this.#due.delete(key)
  }

  async #do({ metadata: { name, uid } }: Seen, step: Step): Promise<void> {
    const { nodes, chance } = this.#options
    switch (step) {
      case 'bind': {
        const node = nodes.pick(chance)
        if (node === undefined) return
        const target = { apiVersion: 'v1', kind: 'Node', name: node }
        return this.#ask('POST', `pods/${name}/binding`, {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, uid },
          target,
        })
      }
      case 'start':
        return this.#tell(name, uid, { phase: 'Running', podIP: this.#address(), ...statuses(true) })
      case 'fall silent':
        return this.#tell(name, uid, { conditions: [{ type: 'Ready', status: 'False' }] })
      case 'remove':
        return this.#ask('DELETE', `pods/${name}`, { gracePeriodSeconds: 0, preconditions: { uid } })
      case 'bind claim':
        return this.#ask('PATCH', `persistentvolumeclaims/${name}/status`, {
          metadata: { uid },
          status: { phase: 'Bound' },
        })
    }
  }

  #tell(name: string, uid: string, status: object): Promise<void> {
    return this.#ask('PATCH', `pods/${name}/status`, { metadata: { uid }, status })
  }

  #address(): string {
    const count = this.#addresses++
    return `10.20.${(count >> 8) & 255}.${count & 255}`
  }

  async #ask(method: Method, path: string, body: object): Promise<void> {
    const { host, namespace } = this.#options
    const type = method === 'PATCH' ? mergePatch : 'application/json'
    await host.request(method, `/api/v1/namespaces/${namespace}/${path}`, body, type)
  }
}

function statuses(isUp: boolean) {
  const state = { running: { startedAt: '2030-01-01T00:00:00Z' } }
  const main = { name: 'main', image: 'app:1', imageID: 'app@1', ready: isUp, restartCount: 0, state }
  return { conditions: [{ type: 'Ready', status: isUp ? 'True' : 'False' }], containerStatuses: [main] }
}

/** Recognized from the first event on, before the creator has its answer. */
function isOfOthers({ spec }: Seen): boolean {
  return spec?.schedulerName === foreignScheduler
}
