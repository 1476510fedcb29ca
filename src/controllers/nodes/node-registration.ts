import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import type { News } from '../run/event-limits.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { nodeReference } from './node-reference.ts'

const component = 'node-controller'

/** The time that Events are kept. Older Nodes already had their Event, and a restart does not repeat it. */
const newForMs = 3_600_000

export interface NodeRegistrationOptions {
  readonly nodes: ResourceContext
  readonly nodesKnown: OwnedObjects<DaemonNode>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Records Events for Nodes that are added and removed. */
export class NodeRegistration implements Controller {
  readonly #options: NodeRegistrationOptions
  readonly #recorder: ControllerEvents
  readonly #unfollow: () => void

  constructor(options: NodeRegistrationOptions) {
    this.#options = options
    const { nodesKnown, events, report, mayWrite } = options
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    this.#unfollow = nodesKnown.listen(({ before, after }) => {
      if (before === undefined && after !== undefined) this.#cameIn(after)
      if (before !== undefined && after === undefined)
        this.#recorder.record(nodeReference(before), removed(before.name))
    })
    for (const node of nodesKnown.all()) if (this.#isNew(node)) this.#cameIn(node)
  }

  async stop(): Promise<void> {
    this.#unfollow()
    await this.#recorder.stop()
  }

  #cameIn(node: DaemonNode): void {
    this.#recorder.recordOnce(nodeReference(node), registered(node.name))
  }

  #isNew({ name }: DaemonNode): boolean {
    const { nodes } = this.#options
    const made = nodes.cache.get({ namespace: '', name })?.object.metadata.creationTimestamp ?? ''
    return nodes.engine.clock.now() - Date.parse(made) < newForMs
  }
}

function registered(name: string): News {
  const message = `Node ${name} event: Registered Node ${name} in Controller`
  return { type: 'Normal', reason: 'RegisteredNode', message }
}

function removed(name: string): News {
  const message = `Node ${name} event: Removing Node ${name} from Controller`
  return { type: 'Normal', reason: 'RemovingNode', message }
}
