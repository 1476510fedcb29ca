import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { commitSlices } from './commit-slices.ts'
import { isMirrored, type MirrorPlan, mostMirrored, planMirroredSlices } from './mirrored-slices.ts'
import { mostPackedAddresses, mostPackedSubsets } from './repack-subsets.ts'
import { hasSelector, type ServiceFacts } from './service-facts.ts'
import { type KnownSlices, mirrorManager, type SliceFacts, slicesOf } from './slice-facts.ts'

const controller = 'endpointslicemirroring-controller'
const component = 'endpoint-slice-mirroring-controller'

export interface SliceMirroringOptions extends KnownSlices {
  readonly services: ResourceContext
  readonly servicesKnown: OwnedObjects<ServiceFacts>
  readonly endpoints: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Mirrors Endpoints that were written by hand, for a Service without a selector, to EndpointSlices. */
export class SliceMirroringController implements Controller {
  readonly #options: SliceMirroringOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: SliceMirroringOptions) {
    this.#options = options
    const { services, servicesKnown, endpoints, slicesKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: services.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    this.#loop.follow(
      servicesKnown.listen(({ before, after }) => this.#add(after ?? before)),
      endpoints.cache.listen((changes) => {
        for (const { document } of changes) this.#add(document)
      }),
      slicesKnown.listen(({ before, after }) => {
        for (const slice of [before, after]) this.#addMirrored(slice)
      }),
    )
    for (const document of endpoints.cache.current().values()) this.#add(document)
    for (const slice of slicesKnown.all()) this.#addMirrored(slice)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(id: ObjectId | undefined): void {
    if (id !== undefined) this.#loop.add(relativeKey(id))
  }

  #addMirrored(slice: SliceFacts | undefined): void {
    if (slice?.manager === mirrorManager) this.#add({ namespace: slice.namespace, name: slice.service })
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { slices } = this.#options
    const existing = slicesOf(this.#options, id, mirrorManager)
    const endpoints = this.#endpointsToMirror(id)
    if (endpoints === undefined) return commitSlices(this.#writer, slices, { create: [], change: [], remove: existing })
    const plan = await paced(planMirroredSlices(endpoints, existing), new Pace())
    this.#tellOmissions(endpoints, plan)
    await commitSlices(this.#writer, slices, plan)
  }

  /** Undefined if there are none, or if others maintain their slices. */
  #endpointsToMirror(id: ObjectId): Endpoints | undefined {
    const { services, endpoints } = this.#options
    const found = endpoints.cache.get(id)
    if (found === undefined || isApiItself(id)) return undefined
    const service = services.cache.get(id)?.object as Service | undefined
    if (service === undefined || hasSelector(service)) return undefined
    const object = found.object as Endpoints
    return isMirrored(object) ? object : undefined
  }

  #tellOmissions(endpoints: Endpoints, { invalid, skipped, leftOutPorts }: MirrorPlan): void {
    if (invalid > 0) {
      const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`
      this.#recorder.record(endpoints, { type: 'Warning', reason: 'InvalidIPAddress', message })
    }
    if (skipped > 0) {
      const most = `A max of ${mostMirrored} addresses can be mirrored to EndpointSlices per Endpoints subset.`
      const message = `${most} ${skipped} addresses were skipped`
      this.#recorder.record(endpoints, { type: 'Warning', reason: 'TooManyAddressesToMirror', message })
    }
    if (leftOutPorts > 0) {
      const most = `${mostPackedSubsets} EndpointSlices with ${mostPackedAddresses} addresses in all can be mirrored.`
      const message = `${most} ${leftOutPorts} ports were skipped: use fewer subsets with ports of their own`
      this.#recorder.record(endpoints, { type: 'Warning', reason: 'TooManyPortsToMirror', message })
    }
  }
}

/** The server itself writes a slice for its API. */
function isApiItself({ namespace, name }: ObjectId): boolean {
  return namespace === 'default' && name === 'kubernetes'
}
