import type { APIService } from '../../api/types/apiregistration-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace } from '../../base/pace.ts'
import { SharedRun } from '../../reconcile/shared-run.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { serverRequest } from '../../registry/controllers/system-request.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import { type LocalVersion, localApiService, managedLabel } from './local-api-service.ts'

export interface LocalApiServicesOptions {
  readonly apiServices: ResourceContext
  /** Every group and version that this server serves, in discovery order. */
  readonly served: () => readonly LocalVersion[]
  readonly onServedChange: (listener: () => void) => () => void
  readonly report: ReportError
}

const controller = 'apiservice-registration'

/** Maintains an APIService for every group and version that is served here. */
export class LocalApiServices implements Controller {
  readonly #options: LocalApiServicesOptions
  readonly #run: SharedRun

  constructor(options: LocalApiServicesOptions) {
    this.#options = options
    this.#run = new SharedRun({
      run: () => this.#fillAll(),
      failed: (name, error) => options.report(controller, name, error),
    })
    this.#run.follow(
      options.onServedChange(this.#run.soon),
      options.apiServices.cache.listen((events) => {
        if (events.some(({ document }) => isManaged(document.object as APIService))) this.#run.soon()
      }),
    )
    this.#run.now()
  }

  stop(): Promise<void> {
    return this.#run.stop()
  }

  async #fillAll(): Promise<void> {
    const { apiServices, served } = this.#options
    const wanted = new Map(served().map((each) => [`${each.version}.${each.group}`, localApiService(each)]))
    const pace = new Pace()
    for (const object of wanted.values()) {
      await pace.step()
      await this.#ensure(object)
    }
    for (const { name, object } of [...apiServices.cache.current().values()]) {
      if (wanted.has(name) || !isManaged(object as APIService)) continue
      const request = serverRequest(controller, this.#run.signal)
      await deleteObject(apiServices, { namespace: '', name }, { dryRun: false }, request)
    }
  }

  /**
   * An APIService that a user has created for another server stays, and takes effect once this server no longer serves
   * the version.
   */
  async #ensure(wanted: APIService): Promise<void> {
    const { apiServices } = this.#options
    const request = serverRequest(controller, this.#run.signal)
    const id = { namespace: '', name: wanted.metadata.name ?? '' }
    if (apiServices.cache.get(id) === undefined) return ensureObject(apiServices, wanted, request)
    const edit = (object: object) => {
      const current = object as APIService
      return isManaged(current) && !deepEqual(current.spec, wanted.spec) ? { ...current, spec: wanted.spec } : undefined
    }
    await editObject(apiServices, id, edit, request)
  }
}

function isManaged({ metadata }: APIService): boolean {
  return metadata.labels?.[managedLabel] !== undefined
}
