import type { KubeObject } from '../../api/object.ts'
import { outdatedAggregates } from '../../auth/rbac/aggregation.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import { editObject } from '../../registry/verbs/edit.ts'

/** All roles are looked at for every change of one: those that come together share a look. */
const pauseMs = 50

/** Fills the rules of ClusterRoles that are the sum of others. */
export class RoleAggregation implements Controller {
  readonly #clusterRoles: ResourceContext
  readonly #loop: Reconciler
  #isLookDue = false

  constructor(clusterRoles: ResourceContext, report: ReportError) {
    this.#clusterRoles = clusterRoles
    this.#loop = new Reconciler({
      reconcile: () => this.#fillAll(),
      failed: (name, error) => report('role-aggregation', name, error),
      workers: 1,
    })
    this.#loop.follow(clusterRoles.cache.listen(() => this.#lookSoon()))
    this.#loop.add('all')
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #lookSoon(): void {
    if (this.#isLookDue) return
    this.#isLookDue = true
    this.#loop.addAfter('all', pauseMs)
  }

  async #fillAll(): Promise<void> {
    this.#isLookDue = false
    const pace = new Pace()
    const stored: KubeObject[] = []
    for (const document of [...this.#clusterRoles.cache.current().values()]) {
      await pace.step()
      stored.push(document.object)
    }
    const request = systemRequest('role-aggregation', this.#loop.signal)
    for (const wanted of outdatedAggregates(stored)) {
      await pace.step()
      if (wanted === undefined) continue
      const id = { namespace: '', name: wanted.metadata.name ?? '' }
      await editObject(this.#clusterRoles, id, (current) => withRules(current, wanted), request)
    }
  }
}

function withRules(current: KubeObject, wanted: KubeObject): KubeObject {
  return { ...current, rules: wanted.rules }
}
