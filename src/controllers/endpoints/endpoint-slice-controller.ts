import type { Service } from '../../api/types/core-v1.ts'
import { errorText } from '../../base/error-text.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { isReachable } from './backends.ts'
import { commitSlices } from './commit-slices.ts'
import { addServicesOnNodes, followServices, type ServicesAndPods } from './follow-services.ts'
import { mostOfferedPorts, mostOffers, portOffersOf } from './port-offers.ts'
import { podSelectorOf, selectsBackends } from './service-facts.ts'
import { planServiceSlices } from './service-slices.ts'
import { type KnownSlices, type SliceFacts, sliceManager, slicesOf } from './slice-facts.ts'
import type { ZoneShares } from './zone-allocations.ts'
import { hasSameShare, zoneLabel, zoneSharesOf } from './zone-shares.ts'

const controller = 'endpointslice-controller'
const component = 'endpoint-slice-controller'
const mostLostTold = 20

export interface EndpointSliceControllerOptions extends ServicesAndPods, KnownSlices {
  readonly services: ResourceContext
  readonly nodesKnown: OwnedObjects<DaemonNode>
  /** Set for a virtual cluster: its Pods may be on nodes that it does not show. */
  readonly mayLackNodes: boolean
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Maintains the EndpointSlices of each Service with the addresses of its Pods. */
export class EndpointSliceController implements Controller {
  readonly #options: EndpointSliceControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  /** Undefined until needed, and again when nodes have changed. */
  #shares: { readonly known: ZoneShares | undefined } | undefined
  /** The Services with endpoints allocated to zones. */
  readonly #shared = new Set<string>()

  constructor(options: EndpointSliceControllerOptions) {
    this.#options = options
    const { services, slicesKnown, nodesKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: services.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    followServices(this.#loop, options)
    this.#loop.follow(
      slicesKnown.listen(({ before, after }) => {
        for (const slice of [before, after]) if (slice?.manager === sliceManager) this.#addServiceOf(slice)
      }),
      nodesKnown.listen((change) => this.#nodeChanged(change)),
    )
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #nodeChanged({ before, after }: OwnedChange<DaemonNode>): void {
    const isNew = before === undefined
    if (after !== undefined && (isNew || zoneIn(before) !== zoneIn(after))) {
      addServicesOnNodes(this.#loop, this.#options, new Set([after.name]))
    }
    if (hasSameShare(before, after)) return
    this.#shares = undefined
    for (const service of this.#shared) this.#loop.add(service)
  }

  #addServiceOf({ namespace, service }: SliceFacts): void {
    this.#loop.add(relativeKey({ namespace, name: service }))
  }

  /** Slices of a deleted Service are garbage-collected with it. One under deletion gets no new ones. */
  async #reconcile(id: ObjectId): Promise<void> {
    const { services, slices, nodesKnown, podsKnown } = this.#options
    const service = services.cache.get(id)?.object as Service | undefined
    if (service === undefined) this.#shared.delete(relativeKey(id))
    if (service === undefined || !selectsBackends(service)) return
    const selector = podSelectorOf(service)
    const selected = podsKnown.in(id.namespace).filter(({ labels }) => selector.matches(labels))
    const lost = new Set(selected.filter((pod) => this.#isLost(service, pod)))
    const pods = selected.filter((pod) => !lost.has(pod))
    const zoneOf = (name: string) => zoneIn(nodesKnown.get({ namespace: '', name }))
    const offers = await portOffersOf(service, pods)
    this.#tellLeftOut(service, offers.leftOut)
    this.#shares ??= { known: zoneSharesOf(nodesKnown.all()) }
    const facts = { shares: this.#shares.known, wasShared: this.#shared.has(relativeKey(id)) }
    const existing = slicesOf(this.#options, id, sliceManager)
    const { plan, news, isShared } = planServiceSlices(service, offers, existing, zoneOf, facts)
    if (isShared) this.#shared.add(relativeKey(id))
    else this.#shared.delete(relativeKey(id))
    const create = service.metadata.deletionTimestamp === undefined ? plan.create : []
    try {
      await commitSlices(this.#writer, slices, { ...plan, create })
    } catch (error) {
      this.#tellRefusal(service, errorText(error))
      throw error
    }
    for (const each of news) this.#recorder.record(service, each)
    if (lost.size > 0) this.#tellRefusal(service, lostText(service, [...lost]))
  }

  /** The Pod's Node does not exist, not even as one that cannot be read, although this cluster has all Nodes. */
  #isLost({ spec }: Service, pod: PodFacts): boolean {
    const { nodesKnown, mayLackNodes } = this.#options
    if (mayLackNodes || spec.publishNotReadyAddresses === true || !isReachable(pod)) return false
    return !nodesKnown.isStored({ namespace: '', name: pod.nodeName })
  }

  #tellLeftOut(service: Service, count: number): void {
    if (count === 0) return
    const most = `Pods may offer the ports of a Service in ${mostOffers} ways, with ${mostOfferedPorts} ports in all.`
    const message = `${most} ${count} Pods are in no EndpointSlice: ask for fewer ports by name`
    this.#recorder.record(service, { type: 'Warning', reason: 'TooManyPortsToList', message })
  }

  #tellRefusal(service: Service, problem: string): void {
    const { namespace, name } = service.metadata
    const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${problem}`
    this.#recorder.record(service, { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
  }
}

function zoneIn(node: DaemonNode | undefined): string | undefined {
  const zone = node?.labels[zoneLabel]
  return zone === '' ? undefined : zone
}

/** Names as many of them as fit in a message. */
function lostText({ metadata: { namespace, name } }: Service, pods: readonly PodFacts[]): string {
  const texts = pods
    .slice(0, mostLostTold)
    .map((pod) => `skipping Pod ${pod.name} for Service ${namespace}/${name}: Node ${pod.nodeName} Not Found`)
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
}
