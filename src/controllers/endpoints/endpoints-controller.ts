import { isRefusal } from '../../api/error.ts'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { errorText } from '../../base/error-text.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { uidOf } from '../../registry/controllers/owner-state.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { ControllerWriter, controllerFieldManager } from '../run/writer.ts'
import { followServices, type ServicesAndPods } from './follow-services.ts'
import { planEndpoints } from './plan-endpoints.ts'
import { portOffersOf } from './port-offers.ts'
import { podSelectorOf, selectsBackends } from './service-facts.ts'

const controller = 'endpoint-controller'

export interface EndpointsControllerOptions extends ServicesAndPods {
  readonly services: ResourceContext
  readonly endpoints: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Maintains the Endpoints of each Service with the addresses of its Pods. */
export class EndpointsController implements Controller {
  readonly #options: EndpointsControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: EndpointsControllerOptions) {
    this.#options = options
    const { services, servicesKnown, endpoints, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: services.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    followServices(this.#loop, options)
    this.#loop.follow(
      endpoints.cache.listen((changes) => {
        for (const { document } of changes) {
          if (servicesKnown.get(document) !== undefined) this.#loop.add(relativeKey(document))
        }
      }),
    )
    this.#addLeftOver()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  /**
   * Finds Endpoints whose Service was deleted while no controller was running. Only those written by this controller:
   * others may write Endpoints without a Service.
   */
  #addLeftOver(): void {
    const { endpoints, servicesKnown } = this.#options
    for (const document of endpoints.cache.current().values()) {
      const isLeftOver = servicesKnown.get(document) === undefined && document.contains(`"${controllerFieldManager}"`)
      if (isLeftOver) this.#loop.add(relativeKey(document))
    }
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { services, endpoints, podsKnown } = this.#options
    const service = services.cache.get(id)?.object as Service | undefined
    if (service === undefined) return this.#remove(id)
    if (!selectsBackends(service)) return
    const selector = podSelectorOf(service)
    const pods = podsKnown.in(id.namespace).filter(({ labels }) => selector.matches(labels))
    const offers = await portOffersOf(service, pods)
    const current = endpoints.cache.get(id)?.object as Endpoints | undefined
    const wanted = await paced(planEndpoints(service, offers, current), new Pace())
    if (wanted !== undefined) await this.#write(service, current, wanted)
  }

  async #write(service: Service, current: Endpoints | undefined, wanted: Endpoints): Promise<void> {
    const { endpoints } = this.#options
    try {
      if (current === undefined) await this.#writer.create(endpoints, wanted)
      else await this.#writer.replace(endpoints, current, wanted)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      this.#tellRefusal(service, current, error)
      throw error
    }
  }

  /** Endpoints that do not exist yet cannot have Events: the Service gets them. */
  #tellRefusal(service: Service, current: Endpoints | undefined, error: unknown): void {
    const key = `${service.metadata.namespace}/${service.metadata.name}`
    const text = errorText(error)
    const [reason, message] =
      current === undefined
        ? ['FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${text}`]
        : ['FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${text}`]
    this.#recorder.record(current ?? service, { type: 'Warning', reason, message })
  }

  /** Includes Endpoints written by hand: they are useless without their Service. */
  async #remove(id: ObjectId): Promise<void> {
    const { endpoints } = this.#options
    const found = endpoints.cache.get(id)
    if (found === undefined) return
    try {
      await this.#writer.delete(endpoints, { namespace: id.namespace, name: id.name, uid: uidOf(found) })
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}
