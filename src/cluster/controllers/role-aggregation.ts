import type { ParsedBody } from '../../api/decode/contract.ts'
import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type AggregatedRole, gatheredRules } from '../../auth/rbac/aggregation.ts'
import type { RbacIndex } from '../../auth/rbac/rbac-index.ts'
import { presentedRule, type RbacRule } from '../../auth/rbac/rule.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace, paced } from '../../base/pace.ts'
import { SharedRun } from '../../reconcile/shared-run.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import { applyObject } from '../../registry/verbs/apply.ts'

const controller = 'role-aggregation'
const fieldManager = 'clusterrole-aggregation-controller'

/** Fills the rules of aggregated ClusterRoles by Apply, as Kubernetes does. */
export class RoleAggregation implements Controller {
  readonly #clusterRoles: ResourceContext
  readonly #index: Pick<RbacIndex, 'clusterRoles'>
  readonly #run: SharedRun

  /** `index`: all ClusterRoles. It learns of a change before this controller does. */
  constructor(clusterRoles: ResourceContext, index: Pick<RbacIndex, 'clusterRoles'>, report: ReportError) {
    this.#clusterRoles = clusterRoles
    this.#index = index
    this.#run = new SharedRun({
      run: () => this.#fillAll(),
      failed: (name, error) => report(controller, name, error),
      measured: { metrics: clusterRoles.engine.metrics, name: controller },
    })
    this.#run.follow(clusterRoles.cache.listen(this.#run.soon))
    this.#run.now()
  }

  stop(): Promise<void> {
    return this.#run.stop()
  }

  /** A role whose rules do not fit does not keep others from theirs. */
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

  /** A role that was changed or deleted meanwhile is checked again because of that change. */
  async #store({ name }: AggregatedRole, rules: readonly RbacRule[]): Promise<void> {
    const id = { namespace: '', name }
    const current = this.#clusterRoles.cache.get(id)?.object
    if (current?.aggregationRule === undefined) return
    const patch = { type: 'apply', force: true, body: bodyOf(configuration(current, rules)) } as const
    try {
      await applyObject(this.#clusterRoles, id, patch, systemRequest(fieldManager, this.#run.signal))
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
    }
  }
}

function configuration({ apiVersion, kind, metadata }: KubeObject, rules: readonly RbacRule[]): KubeObject {
  const { name = '', uid = '', resourceVersion = '' } = metadata
  return { apiVersion, kind, metadata: { name, uid, resourceVersion }, rules: rules.map(presentedRule) }
}

function bodyOf(value: KubeObject): ParsedBody {
  return { value, duplicateFields: [], text: '' }
}
