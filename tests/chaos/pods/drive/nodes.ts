import type { Chance } from '../../../support/chance.ts'
import type { ClusterClient } from '../../../sync/support/cluster-client.ts'
import { nodes } from './kinds.ts'

/** Nodes of the host: working, silent, cordoned or deleted. */
export class Nodes {
  readonly #host: ClusterClient
  readonly #prefix: string
  readonly #there = new Map<string, { isSilent: boolean; isCordoned: boolean }>()
  #count = 0

  constructor(host: ClusterClient, prefix: string) {
    this.#host = host
    this.#prefix = prefix
  }

  /** Whether its kubelet works. */
  isAlive(name: string): boolean {
    return this.#there.get(name)?.isSilent === false
  }

  isGone(name: string): boolean {
    return !this.#there.has(name)
  }

  isSilent(name: string): boolean {
    return this.#there.get(name)?.isSilent === true
  }

  /** A node that accepts Pods; undefined if there is none. */
  pick(chance: Chance): string | undefined {
    const [first, ...others] = [...this.#there].filter(([, { isSilent, isCordoned }]) => !isSilent && !isCordoned)
    return first && chance.pick([first, ...others])[0]
  }

  any(chance: Chance): string | undefined {
    const [first, ...others] = this.#there.keys()
    return first && chance.pick([first, ...others])
  }

  async add(): Promise<string> {
    const name = `${this.#prefix}-${this.#count++}`
    const amounts = { cpu: '64', memory: '256Gi', pods: '500' }
    const status = { capacity: amounts, allocatable: amounts, conditions: [ready('True')] }
    await this.#host.create(nodes, { metadata: { name }, status })
    this.#there.set(name, { isSilent: false, isCordoned: false })
    return name
  }

  async remove(name: string): Promise<void> {
    await this.#host.delete(nodes, '', name)
    this.#there.delete(name)
  }

  async silence(name: string, isSilent: boolean): Promise<void> {
    const node = this.#there.get(name)
    if (node === undefined) return
    node.isSilent = isSilent
    await this.#host.patch(
      nodes,
      '',
      name,
      { status: { conditions: [ready(isSilent ? 'Unknown' : 'True')] } },
      'status',
    )
  }

  async cordon(name: string, isCordoned: boolean): Promise<void> {
    const node = this.#there.get(name)
    if (node === undefined) return
    node.isCordoned = isCordoned
    await this.#host.patch(nodes, '', name, { spec: { unschedulable: isCordoned || null } })
  }

  /** At the end everything works, and there is a node for each Pod. */
  async mend(): Promise<void> {
    for (const name of [...this.#there.keys()]) {
      await this.silence(name, false)
      await this.cordon(name, false)
    }
    if (this.#there.size === 0) await this.add()
  }

  async removeAll(): Promise<void> {
    for (const name of [...this.#there.keys()]) await this.remove(name)
  }
}

function ready(status: 'True' | 'Unknown') {
  return { type: 'Ready', status, reason: 'Told', message: '' }
}
