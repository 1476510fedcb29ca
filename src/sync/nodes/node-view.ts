import type { NodeSync } from '../../api/tenant-config/types.ts'
import { deepEqual } from '../../base/equal.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { SyncKind } from '../contract.ts'
import type { SeenNodes } from '../run/kind-parts.ts'
import { ServedRun } from '../run/served-run.ts'
import { type NodeParts, NodeSyncer, nodesUnknown } from './node-syncer.ts'

export interface NodeViewParts extends Omit<NodeParts, 'virtual' | 'host' | 'config'> {
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
}

/** Limit of cordoned nodes that are added to every Pod of the tenant. */
const mostCordoned = 100

/** Nodes are not copies: the kind is only used to find how they are served. */
const nodesKind: SyncKind = { id: 'nodes', group: '', resource: 'nodes', toHost: () => ({}) }

/** The nodes that a virtual cluster sees, under the current configuration. */
export class NodeView implements SeenNodes {
  readonly #parts: NodeViewParts
  #config: NodeSync
  #run: ServedRun<NodeSyncer>

  constructor(parts: NodeViewParts, config: NodeSync) {
    this.#parts = parts
    this.#config = config
    this.#run = this.#start(config)
  }

  get run(): ServedRun<NodeSyncer> {
    return this.#run
  }

  reconfigure(config: NodeSync): void {
    if (deepEqual(config, this.#config)) return
    this.#config = config
    void this.#run.stop()
    this.#run = this.#start(config)
  }

  /** A cluster that serves no nodes has none to wait for. */
  async show(node: string): Promise<void> {
    if (this.#config.mode === 'none' || this.#run.absence !== undefined) return
    if (this.#run.running === undefined) throw nodesUnknown()
    await this.#run.running.show(node)
  }

  get areKnown(): boolean {
    return this.#run.running?.isKnown === true
  }

  useChanged(node: string): void {
    this.#run.running?.enqueue(node)
  }

  cordoned(): readonly string[] {
    return [...(this.#run.running?.cordoned ?? [])].slice(0, mostCordoned)
  }

  stop(): Promise<void> {
    return this.#run.stop()
  }

  #start(config: NodeSync): ServedRun<NodeSyncer> {
    const { clients, ...parts } = this.#parts
    return new ServedRun({
      kind: nodesKind,
      clients,
      log: parts.log,
      start: (types) => {
        const virtual = { client: clients.virtual, type: types.virtual }
        const host = { client: clients.host, type: types.host }
        return new NodeSyncer({ ...parts, virtual, host, config })
      },
    })
  }
}
