import type { KubeObject } from '../../api/object.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { ttlStepOf, ttlText } from './ttl-steps.ts'

const controller = 'ttl-controller'
const ttlAnnotation = 'node.alpha.kubernetes.io/ttl'

export interface NodeTtlOptions {
  readonly nodes: ResourceContext
  readonly nodesKnown: OwnedObjects<DaemonNode>
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Tells the kubelet of each node how long it may cache Secrets and ConfigMaps. */
export class NodeTtl implements Controller {
  readonly #loop: Reconciler
  readonly #nodesKnown: OwnedObjects<DaemonNode>
  #nodes = 0
  #step = 0

  constructor({ nodes, nodesKnown, report, mayWrite }: NodeTtlOptions) {
    this.#nodesKnown = nodesKnown
    this.#loop = controllerLoop({
      controller,
      engine: nodes.engine,
      reconcile: (id) => writer.edit(nodes, id, (node) => withTtl(node, ttlText(this.#step))),
      report,
    })
    const writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.follow(
      nodesKnown.listen(({ before, after }) => {
        if (before === undefined) this.#count(1)
        if (after === undefined) this.#count(-1)
        else this.#loop.add(after.name)
      }),
    )
    for (const { name } of nodesKnown.all()) {
      this.#nodes += 1
      this.#loop.add(name)
    }
    this.#count(0)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #count(more: number): void {
    const before = this.#step
    this.#nodes += more
    this.#step = ttlStepOf(this.#nodes, before)
    if (this.#step !== before) for (const { name } of this.#nodesKnown.all()) this.#loop.add(name)
  }
}

function withTtl(node: KubeObject, ttl: string): KubeObject | undefined {
  const { annotations = {} } = node.metadata
  if (annotations[ttlAnnotation] === ttl) return undefined
  return { ...node, metadata: { ...node.metadata, annotations: { ...annotations, [ttlAnnotation]: ttl } } }
}
