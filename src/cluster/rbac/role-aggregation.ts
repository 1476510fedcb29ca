import type { KubeObject } from '../../api/object.ts'
import { type AggregatedRole, gatheredRules } from '../../auth/rbac/aggregation.ts'
import type { RbacIndex } from '../../auth/rbac/rbac-index.ts'
import { presentedRule, type RbacRule } from '../../auth/rbac/rule.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace, paced } from '../../base/pace.ts'
import { SharedLook } from '../../reconcile/shared-look.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import { editObject } from '../../registry/verbs/edit.ts'

const controller = 'role-aggregation'

/** Fills the rules of ClusterRoles that are the sum of others. */
export class RoleAggregation implements Controller {
  readonly #clusterRoles: ResourceContext
  readonly #index: Pick<RbacIndex, 'clusterRoles'>
  readonly #look: SharedLook

  /** `index`: what is known of all ClusterRoles. It hears of a change before this does. */
  constructor(clusterRoles: ResourceContext, index: Pick<RbacIndex, 'clusterRoles'>, report: ReportError) {
    this.#clusterRoles = clusterRoles
    this.#index = index
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

  /** One that has no room for its rules keeps no other from them. */
  async #fillAll(): Promise<void> {
    const pace = new Pace()
    const inOrder = this.#index.clusterRoles()
    const failures: unknown[] = []
    for (const role of inOrder) {
      await pace.step()
      if (role.selectors === undefined) continue
      const rules = await paced(gatheredRules(role, inOrder), pace)
      if (!deepEqual(rules, role.rules)) await this.#store(role, rules).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  async #store({ name }: AggregatedRole, rules: readonly RbacRule[]): Promise<void> {
    const request = systemRequest('clusterrole-aggregation-controller', this.#look.signal)
    const edit = (current: KubeObject) =>
      current.aggregationRule === undefined ? undefined : { ...current, rules: rules.map(presentedRule) }
    await editObject(this.#clusterRoles, { namespace: '', name }, edit, request)
  }
}
