import { nodeLeaseNamespace } from '../../api/core/nodes/kubelet.ts'
import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LeaseSpec } from '../../api/types/coordination-v1.ts'
import type { Node, Pod } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { withPodCondition } from '../pods/pod-conditions.ts'
import { type PodFacts, podsOnNode } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { nodeReference } from './node-reference.ts'
import { silentNode } from './silent-node.ts'

const controller = 'node-controller'

/** How long Kubernetes 1.32 waits for a node that has reported before. */
const usualGraceMs = 50_000

export interface NodeHealthOptions {
  readonly nodes: ResourceContext
  readonly leases: ResourceContext
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
  readonly graceMs?: number
}

interface Heard {
  readonly renewTime: string
  /** By this server's clock: those of nodes may differ. */
  readonly atMs: number
  /** A node that announces a longer renewal interval gets more time. */
  readonly promisedMs: number
}

/**
 * Notices nodes that have stopped reporting. A node that has never had a Lease need not report: it was created by hand,
 * and its conditions are those of its creator.
 */
export class NodeHealth implements Controller {
  readonly #options: NodeHealthOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #heard = new Map<string, Heard>()
  readonly #silent = new Set<string>()

  constructor(options: NodeHealthOptions) {
    this.#options = options
    const { nodes, leases, podsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: nodes.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#loop.follow(
      leases.cache.listen((changes) => {
        for (const { type, document } of changes) this.#leaseChanged(document, type === 'DELETED')
      }),
      nodes.cache.listen((changes) => {
        for (const { document } of changes) if (this.#heard.has(document.name)) this.#loop.add(document.name)
      }),
      podsKnown.listen(({ after }) => {
        if (after?.isReady === true && this.#silent.has(after.nodeName)) this.#loop.add(after.nodeName)
      }),
    )
    for (const document of leases.cache.current().values()) this.#leaseChanged(document, false)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #leaseChanged(document: StoredDocument, isGone: boolean): void {
    const { namespace, name } = document
    if (namespace !== nodeLeaseNamespace) return
    const before = this.#heard.get(name)
    const { renewTime, leaseDurationSeconds = 0 } = isGone ? {} : (Object(document.object.spec) as LeaseSpec)
    if (renewTime === undefined) this.#heard.delete(name)
    else if (before?.renewTime !== renewTime) {
      const atMs = this.#options.nodes.engine.clock.now()
      this.#heard.set(name, { renewTime, atMs, promisedMs: leaseDurationSeconds * 1000 })
    }
    // While it reports, the scheduled reconciliation will notice that.
    const wasSilent = this.#silent.delete(name)
    if (before === undefined || wasSilent) this.#loop.add(name)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { nodes, podsKnown, graceMs = usualGraceMs } = this.#options
    const heard = this.#heard.get(id.name)
    if (heard === undefined || nodes.cache.get(id) === undefined) return
    const leftMs = heard.atMs + Math.max(graceMs, heard.promisedMs) - nodes.engine.clock.now()
    if (leftMs > 0) return requeueAfter(this.#loop, id.name, leftMs)
    this.#silent.add(id.name)
    await this.#tellSilent(id)
    for (const pod of podsKnown.inGroup(podsOnNode(id.name))) if (pod.isReady) await this.#tellNotReady(pod)
  }

  async #tellSilent(id: ObjectId): Promise<void> {
    const { nodes } = this.#options
    const now = timestamp(nodes.engine.clock.now())
    let told: KubeObject | undefined
    await this.#writer.edit(
      nodes,
      id,
      (node) => {
        told = silentNode(node as Node, now)
        return told
      },
      'status',
    )
    if (told === undefined) return
    const message = `Node ${id.name} status is now: NodeNotReady`
    const about = nodeReference({ name: id.name, uid: told.metadata.uid ?? '' })
    this.#recorder.record(about, { type: 'Normal', reason: 'NodeNotReady', message })
  }

  /** Services must stop sending to the Pod. */
  async #tellNotReady(known: PodFacts): Promise<void> {
    const { pods } = this.#options
    const now = timestamp(pods.engine.clock.now())
    const unready = (object: KubeObject) => {
      const pod = object as Pod
      const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')
      if (ready === undefined || pod.metadata.uid !== known.uid) return undefined
      const conditions = withPodCondition(pod.status.conditions ?? [], { ...ready, status: 'False' }, now)
      return { ...pod, status: { ...pod.status, conditions } }
    }
    const pod = pods.cache.get(known)?.object
    if (pod === undefined) return
    this.#recorder.record(pod, { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' })
    try {
      await this.#writer.edit(pods, known, unready, 'status')
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}
