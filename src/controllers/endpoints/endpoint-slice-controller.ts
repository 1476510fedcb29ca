import type { Service } from '../../api/types/core-v1.ts'
import { errorText } from '../../base/error-text.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { lookLoop } from '../run/look.ts'
import { ControllerWriter } from '../run/writer.ts'
import { commitSlices } from './commit-slices.ts'
import { addServicesOnNodes, followServices, type ServicesAndPods } from './follow-services.ts'
import { mostOfferedPorts, mostOffers, portOffersOf } from './port-offers.ts'
import { podSelectorOf, selectsBackends } from './service-facts.ts'
import { planServiceSlices } from './service-slices.ts'
import { type KnownSlices, type SliceFacts, sliceManager, slicesOf } from './slice-facts.ts'

const controller = 'endpointslice-controller'
const component = 'endpoint-slice-controller'
const zoneLabel = 'topology.kubernetes.io/zone'

export interface EndpointSliceControllerOptions extends ServicesAndPods, KnownSlices {
  readonly services: ResourceContext
  readonly nodes: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Keeps the addresses of the Pods behind each Service in its EndpointSlices. */
export class EndpointSliceController implements Controller {
  readonly #options: EndpointSliceControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: EndpointSliceControllerOptions) {
    this.#options = options
    const { services, slicesKnown, nodes, events, report, mayWrite } = options
    this.#loop = lookLoop({ controller, engine: services.engine, look: (id) => this.#look(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    followServices(this.#loop, options)
    this.#loop.follow(
      slicesKnown.listen(({ before, after }) => {
        for (const slice of [before, after]) if (slice?.manager === sliceManager) this.#addServiceOf(slice)
      }),
      nodes.cache.listen((changes) => {
        const moved = changes.filter(({ document, previous }) => zoneIn(document) !== zoneIn(previous))
        if (moved.length > 0)
          addServicesOnNodes(this.#loop, options, new Set(moved.map(({ document }) => document.name)))
      }),
    )
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #addServiceOf({ namespace, service }: SliceFacts): void {
    this.#loop.add(relativeKey({ namespace, name: service }))
  }

  /** Slices of a Service that is gone are collected with it. One that is going gets no new ones. */
  async #look(id: ObjectId): Promise<void> {
    const { services, slices, nodes, podsKnown } = this.#options
    const service = services.cache.get(id)?.object as Service | undefined
    if (service === undefined || !selectsBackends(service)) return
    const selector = podSelectorOf(service)
    const pods = podsKnown.in(id.namespace).filter(({ labels }) => selector.matches(labels))
    const zoneOf = (name: string) => zoneIn(nodes.cache.get({ namespace: '', name }))
    const offers = await portOffersOf(service, pods)
    this.#tellLeftOut(service, offers.leftOut)
    const plan = planServiceSlices(service, offers, slicesOf(this.#options, id, sliceManager), zoneOf)
    const create = service.metadata.deletionTimestamp === undefined ? plan.create : []
    try {
      await commitSlices(this.#writer, slices, { ...plan, create })
    } catch (error) {
      this.#tellRefusal(service, error)
      throw error
    }
  }

  #tellLeftOut(service: Service, count: number): void {
    if (count === 0) return
    const most = `Pods may offer the ports of a Service in ${mostOffers} ways, with ${mostOfferedPorts} ports in all.`
    const message = `${most} ${count} Pods are in no EndpointSlice: ask for fewer ports by name`
    this.#recorder.record(service, { type: 'Warning', reason: 'TooManyPortsToList', message })
  }

  #tellRefusal(service: Service, error: unknown): void {
    const { namespace, name } = service.metadata
    const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${errorText(error)}`
    this.#recorder.record(service, { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
  }
}

function zoneIn(
  node: { readonly labels: Readonly<Record<string, string>> | undefined } | undefined,
): string | undefined {
  const zone = node?.labels?.[zoneLabel]
  return zone === '' ? undefined : zone
}
