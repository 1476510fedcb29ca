import type { KubeObject } from '../../api/object.ts'
import { outdatedAggregates } from '../../auth/rbac/aggregation.ts'
import { bootstrapPolicy } from '../../auth/rbac/bootstrap.ts'
import { checkEscalation } from '../../auth/rbac/escalation.ts'
import type { RbacIndex, RbacKind } from '../../auth/rbac/rbac-index.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { Hooks, ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'

const group = 'rbac.authorization.k8s.io'
export const rbacKinds: readonly RbacKind[] = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']

/** Nobody hands out rights that they do not have. */
export function escalationHooks(index: RbacIndex): Hooks {
  return {
    admitCreate: async (object, request) => {
      await checkEscalation(index, request, object)
      return { object }
    },
    admitUpdate: async (object, old, request) => {
      await checkEscalation(index, request, object, old.object)
      return { object }
    },
  }
}

/** Keeps the index in step with the stored roles and bindings; a change counts from the moment it is acknowledged. */
export function feedRbacIndex(index: RbacIndex, registry: ObjectRegistry): void {
  for (const kind of rbacKinds) {
    const context = registry.engine.find(group, kind)
    context?.cache.listen((events) => {
      for (const event of events) record(index, kind, event)
    })
    for (const document of context?.cache.current().values() ?? []) index.upsert(kind, document.object)
  }
}

function record(index: RbacIndex, kind: RbacKind, { type, document }: ChangeEvent): void {
  if (type === 'DELETED') index.remove(kind, document.namespace, document.name)
  else index.upsert(kind, document.object)
}

/**
 * The roles and bindings that every cluster starts with; what an administrator has changed is left as it is. All
 * at once, so that they share their commits.
 */
export async function ensureBootstrapPolicy(registry: ObjectRegistry): Promise<void> {
  const request = systemRequest('rbac-bootstrap', new AbortController().signal)
  await Promise.all(
    bootstrapPolicy().map(async (object) => {
      const context = registry.engine.find(group, object.kind)
      if (context !== undefined) await ensureObject(context, object, request)
    }),
  )
}

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
