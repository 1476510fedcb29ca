import type { KubeObject } from '../../api/object.ts'
import { outdatedAggregates } from '../../auth/rbac/aggregation.ts'
import { Pace } from '../../base/pace.ts'
import { SharedLook } from '../../reconcile/shared-look.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import { editObject } from '../../registry/verbs/edit.ts'

const controller = 'role-aggregation'

/** Fills the rules of ClusterRoles that are the sum of others. */
export class RoleAggregation implements Controller {
  readonly #clusterRoles: ResourceContext
  readonly #look: SharedLook

  constructor(clusterRoles: ResourceContext, report: ReportError) {
    this.#clusterRoles = clusterRoles
    this.#look = new SharedLook({
      look: () => this.#fillAll(),
      failed: (name, error) => report(controller, name, error),
      measured: { metrics: clusterRoles.engine.metrics, name: controller },
    })
    this.#look.follow(clusterRoles.cache.listen(this.#look.soon))
    this.#look.now()
  }

  stop(): Promise<void> {
    return this.#look.stop()
  }

  async #fillAll(): Promise<void> {
    const pace = new Pace()
    const stored: KubeObject[] = []
    for (const document of [...this.#clusterRoles.cache.current().values()]) {
      await pace.step()
      stored.push(document.object)
    }
    const request = systemRequest('clusterrole-aggregation-controller', this.#look.signal)
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
