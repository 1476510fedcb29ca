import { withLifecycleTaints } from '../../api/core/lifecycle-taints.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { MayWrite } from '../run/leading.ts'
import { lookLoop } from '../run/look.ts'
import { ControllerWriter } from '../run/writer.ts'

const controller = 'node-controller'

export interface NodeTaintsOptions {
  readonly nodes: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/**
 * Gives every node the taints that its conditions ask for. What the conditions are is for the node to say: here no node has
 * to say again and again that it is there.
 */
export class NodeTaints implements Controller {
  readonly #nodes: ResourceContext
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor({ nodes, report, mayWrite }: NodeTaintsOptions) {
    this.#nodes = nodes
    this.#loop = lookLoop({ controller, engine: nodes.engine, look: (id) => this.#look(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.follow(
      nodes.cache.listen((changes) => {
        for (const { document } of changes) this.#loop.add(document.name)
      }),
    )
    for (const { name } of nodes.cache.current().values()) this.#loop.add(name)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #look(id: ObjectId): Promise<void> {
    const now = timestamp(this.#nodes.engine.clock.now())
    await this.#writer.edit(this.#nodes, id, (node) => withLifecycleTaints(node as Node, now))
  }
}
