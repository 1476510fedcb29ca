import { typeWarnings } from '../../api/admissionregistration/policy-types.ts'
import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ValidatingAdmissionPolicy } from '../../api/types/admissionregistration-v1.ts'
import { Pace, paced } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { Registry } from '../contract.ts'
import type { Controller, ReportError } from '../controllers/controller.ts'
import { systemRequest } from '../controllers/system-request.ts'
import { editObject } from '../verbs/edit.ts'
import { kindsOfPolicy } from './policy-kinds.ts'

const manager = 'validatingadmissionpolicy-status'

/**
 * Reports in the status of every policy what is wrong with its expressions for the kinds that it matches, once for each
 * spec.
 */
export class PolicyStatus implements Controller {
  readonly #policies: ResourceContext
  readonly #registry: Registry
  readonly #loop: Reconciler

  constructor(policies: ResourceContext, registry: Registry, report: ReportError) {
    this.#policies = policies
    this.#registry = registry
    this.#loop = new Reconciler({
      reconcile: (name) => this.#reconcile(name),
      failed: (name, error) => {
        if (!(error instanceof ApiError) || error.code >= 500) report(manager, name, error)
      },
      workers: 1,
      measured: { metrics: policies.engine.metrics, name: manager },
    })
    this.#loop.follow(
      policies.cache.listen((events) => {
        for (const { type, document } of events) if (type !== 'DELETED') this.#loop.add(document.name)
      }),
    )
    for (const { name } of policies.cache.current().values()) this.#loop.add(name)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #reconcile(name: string): Promise<void> {
    const id = { namespace: '', name }
    const policy = this.#policies.cache.get(id)?.object as ValidatingAdmissionPolicy | undefined
    if (policy === undefined || isObserved(policy)) return
    const kinds = kindsOfPolicy(policy.spec, this.#registry)
    const expressionWarnings = await paced(typeWarnings(policy.spec, kinds), new Pace())
    const status = {
      observedGeneration: policy.metadata.generation ?? 0,
      typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
    }
    const request = systemRequest(manager, this.#loop.signal, 'status')
    await editObject(this.#policies, id, (current) => withStatus(current, policy, status), request)
  }
}

function isObserved({ metadata, status }: ValidatingAdmissionPolicy): boolean {
  return (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0)
}

/** Undefined: the spec has changed, or another policy has the name now. */
function withStatus(current: KubeObject, looked: ValidatingAdmissionPolicy, status: object): KubeObject | undefined {
  const { uid, generation } = looked.metadata
  if (current.metadata.uid !== uid || current.metadata.generation !== generation) return undefined
  return { ...current, status: { ...(current as ValidatingAdmissionPolicy).status, ...status } }
}
