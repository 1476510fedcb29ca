import type { KubeObject } from '../../../api/object.ts'
import { outdatedAggregates } from '../../../auth/rbac/aggregation.ts'
import { WorkQueue } from '../../../base/work-queue.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { systemRequest } from '../../../registry/controllers/system-request.ts'
import { editObject } from '../../../registry/verbs/edit.ts'

/** Fills the rules of ClusterRoles that are the sum of others. */
export class RoleAggregation implements Controller {
  readonly #clusterRoles: ResourceContext
  readonly #unsubscribe: () => void
  readonly #stop = new AbortController()
  readonly #queue: WorkQueue

  constructor(clusterRoles: ResourceContext, report: ReportError) {
    this.#clusterRoles = clusterRoles
    this.#queue = new WorkQueue({
      handle: () => this.#fillAll(),
      onError: (name, error) => report('role-aggregation', name, error),
      workers: 1,
    })
    this.#unsubscribe = clusterRoles.cache.listen(() => this.#queue.add('all'))
    this.#queue.add('all')
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#unsubscribe()
    await this.#queue.stop()
  }

  async #fillAll(): Promise<void> {
    const stored = [...this.#clusterRoles.cache.current().values()].map((document) => document.object)
    const request = systemRequest('role-aggregation', this.#stop.signal)
    for (const wanted of outdatedAggregates(stored)) {
      const id = { namespace: '', name: wanted.metadata.name ?? '' }
      await editObject(this.#clusterRoles, id, (current) => withRules(current, wanted), request)
    }
  }
}

function withRules(current: KubeObject, wanted: KubeObject): KubeObject {
  return { ...current, rules: wanted.rules }
}
