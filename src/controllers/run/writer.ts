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
  /** As whose the fields are marked that it writes. Absent: as kube-controller-manager's. */
  readonly fieldManager?: string
  readonly signal: AbortSignal
  readonly mayWrite: MayWrite
}

/**
 * How one controller writes: in its own name, and never over what it has not seen. What it changes has room also where the
 * owner has used up all: a status has to say so, and what is too much has to go. What it creates has not.
 */
export class ControllerWriter {
  readonly #options: ControllerWriterOptions

  constructor(options: ControllerWriterOptions) {
    this.#options = options
  }

  /** Resolves to the name that it was given. */
  create(context: ResourceContext, object: KubeObject): Promise<string> {
    return this.creator(context, object)()
  }

  /**
   * How objects of one content are made, whose names the server makes up. What is the same for all of them is worked out once, and once
   * more in the next second, which managedFields show.
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

  /** The edit is asked again if another writer was faster, and returns undefined when nothing is left to do. */
  async edit(
    context: ResourceContext,
    id: ObjectId,
    edit: (object: KubeObject) => KubeObject | undefined,
    subresource = '',
  ): Promise<void> {
    await editObject(context, id, edit, { ...this.#request(subresource), isInternal: true })
  }

  /** Gives a Pod its node, once. */
  async bind(pods: ResourceContext, id: ObjectId, binding: PodBinding): Promise<void> {
    await bindPod(pods, id, binding, { ...this.#request('binding'), isInternal: true })
  }

  /**
   * Does nothing, and says so, if the object is no longer the one that was planned for: its change is a reason to look
   * again.
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

  /** In the foreground, it goes after all that it owns. */
  async delete(
    context: ResourceContext,
    target: ObjectId & { readonly uid: string },
    propagationPolicy: 'Background' | 'Foreground' = 'Background',
  ): Promise<void> {
    const options = { preconditions: { uid: target.uid }, propagationPolicy, dryRun: false } as const
    await deleteObject(context, target, options, this.#request())
  }

  /** A Pod that goes for another reason than its own says so from the moment it is told to go. */
  async evict(
    pods: ResourceContext,
    target: ObjectId & { readonly uid: string },
    whileMarking: (pod: KubeObject) => KubeObject,
  ): Promise<void> {
    const options = { preconditions: { uid: target.uid }, dryRun: false, whileMarking }
    await deleteObject(pods, target, options, this.#request())
  }

  /** For what has had the time to go that it was given. */
  async deleteNow(context: ResourceContext, target: ObjectId & { readonly uid: string }): Promise<void> {
    const options = { preconditions: { uid: target.uid }, gracePeriodSeconds: 0, dryRun: false } as const
    await deleteObject(context, target, options, this.#request())
  }

  /** What a controller makes at the wish of a user counts as the user's: quotas and admission see it. */
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
