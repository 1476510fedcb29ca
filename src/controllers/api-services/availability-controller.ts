import type { APIService } from '../../api/types/apiregistration-v1.ts'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { AskApi } from '../../registry/aggregation/ask-api.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import {
  type Availability,
  availableHere,
  availableThere,
  outOfReach,
  serviceProblem,
  withAvailableCondition,
} from './availability.ts'

export interface AvailabilityControllerOptions {
  readonly apiServices: ResourceContext
  readonly services: ResourceContext
  readonly endpoints: ResourceContext
  /** Absent: users' servers are not called here. */
  readonly ask: AskApi | undefined
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

const controller = 'apiservice-availability'
const intervalMs = 30_000

/** Reports for every APIService whether it is available: after each change, and every half minute. */
export class AvailabilityController implements Controller {
  readonly #options: AvailabilityControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  /** The last known specs: a change of the status is no reason to check again. */
  readonly #specs = new Map<string, APIService['spec']>()

  constructor(options: AvailabilityControllerOptions) {
    const { apiServices, services, endpoints, report, mayWrite } = options
    this.#options = options
    this.#loop = controllerLoop({
      controller,
      engine: apiServices.engine,
      reconcile: (id) => this.#reconcile(id),
      report,
    })
    this.#writer = new ControllerWriter({
      controller,
      signal: this.#loop.signal,
      mayWrite,
      fieldManager: 'kube-apiserver',
    })
    this.#loop.follow(
      apiServices.cache.listen((events) => {
        for (const { type, document } of events) {
          const { spec } = document.object as APIService
          if (type === 'DELETED') this.#specs.delete(document.name)
          else if (!deepEqual(spec, this.#specs.get(document.name))) this.#loop.add(relativeKey(document))
        }
      }),
      ...[services, endpoints].map(({ cache }) =>
        cache.listen((events) => {
          for (const { document } of events) this.#changed(document)
        }),
      ),
    )
    for (const document of apiServices.cache.current().values()) this.#loop.add(relativeKey(document))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** A Service or its endpoints have changed. */
  #changed({ namespace, name }: ObjectId): void {
    for (const [api, { service }] of this.#specs) {
      if (service?.name !== name || service.namespace !== namespace) continue
      this.#loop.add(relativeKey({ namespace: '', name: api }))
    }
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { apiServices } = this.#options
    const object = apiServices.cache.get(id)?.object as APIService | undefined
    if (object === undefined) return
    this.#specs.set(id.name, object.spec)
    const found = object.spec.service === undefined ? availableHere : await this.#reached(object)
    const now = timestamp(apiServices.engine.clock.now())
    await this.#writer.edit(
      apiServices,
      id,
      (current) => {
        const isSame = deepEqual((current as APIService).spec, object.spec)
        return isSame ? withAvailableCondition(current as APIService, found, now) : undefined
      },
      'status',
    )
    if (object.spec.service !== undefined) requeueAfter(this.#loop, relativeKey(id), intervalMs)
  }

  async #reached(object: APIService): Promise<Availability> {
    const { services, endpoints, ask } = this.#options
    const { namespace = '', name = '' } = object.spec.service ?? {}
    const service = services.cache.get({ namespace, name })?.object as Service | undefined
    const behind = endpoints.cache.get({ namespace, name })?.object as Endpoints | undefined
    const problem = serviceProblem(object, service, behind)
    if (problem !== undefined) return problem
    if (ask === undefined) return outOfReach('FailedDiscoveryCheck', 'this server passes no requests on')
    const answer = await ask(object, this.#loop.signal)
    return answer.outcome === 'answered' ? availableThere : outOfReach('FailedDiscoveryCheck', answer.problem)
  }
}
