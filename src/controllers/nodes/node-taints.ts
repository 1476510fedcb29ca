import { withLifecycleTaints } from '../../api/core/nodes/lifecycle-taints.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { evictionTaintKey, hasEvictionTaint, readinessOf, withEvictionTaint } from './eviction-taints.ts'

const controller = 'node-controller'

/** The time between nodes that start to lose their Pods, as in Kubernetes. */
const evictionPauseMs = 10_000

export interface NodeTaintsOptions {
  readonly nodes: ResourceContext
  readonly nodesKnown: OwnedObjects<DaemonNode>
  readonly report: ReportError
  readonly mayWrite: MayWrite
  /** Whether Pods must leave nodes that do not work. If the nodes belong to the host, that is the host's decision. */
  readonly evicts: boolean
}

/** Gives every node the taints that follow from its conditions. */
export class NodeTaints implements Controller {
  readonly #options: NodeTaintsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  #readyNodes = 0
  #nextEvictionMs = 0

  constructor(options: NodeTaintsOptions) {
    this.#options = options
    const { nodes, nodesKnown, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: nodes.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    for (const node of nodesKnown.all()) this.#nodeChanged({ before: undefined, after: node })
    this.#loop.follow(nodesKnown.listen((change) => this.#nodeChanged(change)))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #nodeChanged({ before, after }: OwnedChange<DaemonNode>): void {
    const wasAnyReady = this.#readyNodes > 0
    if (before?.readiness === 'ready') this.#readyNodes -= 1
    if (after?.readiness === 'ready') this.#readyNodes += 1
    if (after !== undefined) this.#loop.add(after.name)
    if (this.#readyNodes > 0 === wasAnyReady) return
    for (const { name } of this.#options.nodesKnown.all()) this.#loop.add(name)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { nodes, evicts } = this.#options
    const node = nodes.cache.get(id)?.object as Node | undefined
    if (node === undefined) return
    const nowMs = nodes.engine.clock.now()
    const now = timestamp(nowMs)
    const mayBegin = evicts && (hasEvictionTaint(node) || this.#beginsToLeave(node, nowMs))
    const wanted = (current: Node): Node | undefined => {
      const tainted = withLifecycleTaints(current, now)
      const leaving = evicts ? this.#withEviction(tainted ?? current, mayBegin, now) : undefined
      return leaving ?? tainted
    }
    await this.#writer.edit(nodes, id, (current) => wanted(current as Node))
  }

  /** False if another node has just started to lose its Pods: then this one is requeued. */
  #beginsToLeave(node: Node, nowMs: number): boolean {
    if (evictionTaintKey(readinessOf(node), this.#readyNodes > 0) === undefined) return true
    if (nowMs < this.#nextEvictionMs) {
      requeueAfter(this.#loop, node.metadata.name ?? '', this.#nextEvictionMs - nowMs)
      return false
    }
    this.#nextEvictionMs = nowMs + evictionPauseMs
    return true
  }

  #withEviction(node: Node, mayBegin: boolean, now: string): Node | undefined {
    const key = evictionTaintKey(readinessOf(node), this.#readyNodes > 0)
    return withEvictionTaint(node, mayBegin ? key : undefined, now)
  }
}
