import { isRefusal } from '../../api/error.ts'
import type { Node, Pod, Taint } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'
import { asDisrupted } from '../../registry/pods/disruption-target.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { type PodFacts, podsOnNode } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { mayStayMs, noExecute } from './eviction-plan.ts'

const controller = 'taint-eviction-controller'

export interface TaintEvictionOptions {
  readonly nodes: ResourceContext
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Deletes Pods from nodes whose taints they do not tolerate, or no longer tolerate. */
export class TaintEviction implements Controller {
  readonly #options: TaintEvictionOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  /** By name, for nodes that have any. */
  readonly #taints = new Map<string, readonly Taint[]>()

  constructor(options: TaintEvictionOptions) {
    this.#options = options
    const { nodes, podsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: nodes.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#loop.follow(
      nodes.cache.listen((changes) => {
        for (const { type, document } of changes)
          this.#nodeChanged(document, type === 'DELETED' ? [] : taintsIn(document))
      }),
      podsKnown.listen(({ before, after }) => {
        if (after !== undefined && before?.nodeName !== after.nodeName) this.#add(after)
      }),
    )
    for (const document of nodes.cache.current().values()) this.#nodeChanged(document, taintsIn(document))
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #nodeChanged({ name }: StoredDocument, given: readonly Taint[]): void {
    const before = this.#taints.get(name) ?? []
    const now = timestamp(this.#options.nodes.engine.clock.now())
    const taints = given.map((taint) => withTime(taint, before, now))
    if (taints.length === 0) this.#taints.delete(name)
    else this.#taints.set(name, taints)
    if (deepEqual(before, taints)) return
    for (const pod of this.#options.podsKnown.inGroup(podsOnNode(name))) this.#add(pod)
  }

  #add(pod: PodFacts): void {
    if (!pod.isBeingDeleted && this.#taints.has(pod.nodeName)) this.#loop.add(relativeKey(pod))
  }

  /** A taint that was removed in time evicts no Pod: each reconciliation checks again. */
  async #reconcile(id: ObjectId): Promise<void> {
    const { pods, podsKnown } = this.#options
    const known = podsKnown.get(id)
    const taints = this.#taints.get(known?.nodeName ?? '')
    const pod = pods.cache.get(id)?.object as Pod | undefined
    if (taints === undefined || pod === undefined || known?.isBeingDeleted !== false) return
    const times = { createdMs: known.createdMs, nowMs: pods.engine.clock.now() }
    const stayMs = mayStayMs(taints, pod.spec.tolerations ?? [], times)
    if (stayMs === 0) await this.#evict(known, pod)
    else if (stayMs !== undefined) requeueAfter(this.#loop, relativeKey(id), stayMs)
  }

  async #evict({ namespace, name, uid }: PodFacts, pod: Pod): Promise<void> {
    const { pods } = this.#options
    const message = `Marking for deletion Pod ${namespace}/${name}`
    this.#recorder.record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message })
    const why = 'Taint manager: deleting due to NoExecute taint'
    const marked = asDisrupted('DeletionByTaintManager', why, pods.engine.clock.now())
    try {
      await this.#writer.evict(pods, { namespace, name, uid }, marked)
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}

/** Parsed only if the text suggests it. */
function taintsIn(document: StoredDocument): readonly Taint[] {
  if (!document.contains(`"${noExecute}"`)) return []
  return ((document.object as Node).spec.taints ?? []).filter(({ effect }) => effect === noExecute)
}

/** A taint without a time counts from when it was first seen. */
function withTime(taint: Taint, before: readonly Taint[], now: string): Taint {
  if (taint.timeAdded !== undefined) return taint
  const same = before.find(({ key, value }) => key === taint.key && value === taint.value)
  return { ...taint, timeAdded: same?.timeAdded ?? now }
}
