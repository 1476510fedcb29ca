import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'
import { AlikeWrites } from '../../registry/alike-writes.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import type { ObjectId } from '../../registry/document.ts'
import { bindPod, type PodBinding } from '../../registry/pods/bind-pod.ts'
import { createPrepared, trackedNew } from '../../registry/verbs/create.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import { type MayWrite, NotLeading } from './leading.ts'

/** All controllers share it, as in Kubernetes. */
export const controllerFieldManager = 'kube-controller-manager'

export interface ControllerWriterOptions {
  readonly controller: string
  /** The manager of the fields that it writes. Absent: kube-controller-manager. */
  readonly fieldManager?: string
  readonly signal: AbortSignal
  readonly mayWrite: MayWrite
}

/**
 * How one controller writes: in its own name, and never over changes that it has not seen. Its updates have room even
 * if the owner has used up its quota: a status must be able to report that, and surplus objects must be deletable. Its
 * creations do not.
 */
export class ControllerWriter {
  readonly #options: ControllerWriterOptions

  constructor(options: ControllerWriterOptions) {
    this.#options = options
  }

  /** Resolves to the object's name. */
  create(context: ResourceContext, object: KubeObject): Promise<string> {
    return this.creator(context, object)()
  }

  /**
   * Creates objects with the same content and generated names. The shared part is computed once, and again in the next
   * second, since managedFields contain the time.
   */
  creator(context: ResourceContext, object: KubeObject): () => Promise<string> {
    const { namespace = '' } = object.metadata
    const body = { value: object, duplicateFields: [], text: '' }
    const alike = new AlikeWrites()
    let shared: { readonly time: string; readonly tracked: Promise<KubeObject> } | undefined
    return async () => {
      const request = { ...this.#request(), alike }
      const time = timestamp(context.engine.clock.now())
      if (shared?.time !== time) shared = { time, tracked: trackedNew(context, { namespace }, body, request) }
      return (await createPrepared(context, await shared.tracked, request)).document.name
    }
  }

  /** The edit runs again if another writer was faster, and returns undefined when nothing is left to do. */
  async edit(
    context: ResourceContext,
    id: ObjectId,
    edit: (object: KubeObject) => KubeObject | undefined,
    subresource = '',
  ): Promise<void> {
    await editObject(context, id, edit, { ...this.#request(subresource), isInternal: true })
  }

  /** Binds a Pod to a node, once. */
  async bind(pods: ResourceContext, id: ObjectId, binding: PodBinding): Promise<void> {
    await bindPod(pods, id, binding, { ...this.#request('binding'), isInternal: true })
  }

  /**
   * Does nothing, and returns false, if the object has changed since the plan: the change triggers another
   * reconciliation.
   */
  async replace(context: ResourceContext, planned: KubeObject, wanted: KubeObject, subresource = ''): Promise<boolean> {
    let isCurrent = false
    const edit = ({ metadata }: KubeObject) => {
      isCurrent = metadata.resourceVersion === planned.metadata.resourceVersion
      return isCurrent ? wanted : undefined
    }
    await editObject(context, objectKeyOf(planned), edit, { ...this.#request(subresource), isInternal: true })
    return isCurrent
  }

  /** In the foreground, it is deleted after all its dependents. */
  async delete(
    context: ResourceContext,
    target: ObjectId & { readonly uid: string },
    propagationPolicy: 'Background' | 'Foreground' = 'Background',
  ): Promise<void> {
    const options = { preconditions: { uid: target.uid }, propagationPolicy, dryRun: false } as const
    await deleteObject(context, target, options, this.#request())
  }

  /** A Pod that is deleted for an external reason reports it from the start of its deletion. */
  async evict(
    pods: ResourceContext,
    target: ObjectId & { readonly uid: string },
    whileMarking: (pod: KubeObject) => KubeObject,
  ): Promise<void> {
    const options = { preconditions: { uid: target.uid }, dryRun: false, whileMarking }
    await deleteObject(pods, target, options, this.#request())
  }

  /** For an object whose grace period is over. */
  async deleteNow(context: ResourceContext, target: ObjectId & { readonly uid: string }): Promise<void> {
    const options = { preconditions: { uid: target.uid }, gracePeriodSeconds: 0, dryRun: false } as const
    await deleteObject(context, target, options, this.#request())
  }

  /** What a controller creates for a user counts as the user's: quotas and admission apply. */
  #request(subresource = ''): WriteRequest {
    const { controller, fieldManager = controllerFieldManager, signal, mayWrite } = this.#options
    if (!mayWrite()) throw new NotLeading()
    return {
      user: {
        name: `system:serviceaccount:kube-system:${controller}`,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
      },
      subresource,
      fieldManager,
      fieldValidation: 'Ignore',
      dryRun: false,
      signal,
      warn: () => {},
      ignoresWarnings: true,
      authorize: () => ({ verdict: 'allow', reason: '' }),
    }
  }
}
