import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ControllerRevision, StatefulSet } from '../../api/types/apps-v1.ts'
import type { PodTemplateSpec } from '../../api/types/core-v1.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { completedTemplate } from '../revisions/completed-template.ts'
import { templateIn } from '../revisions/revision-facts.ts'
import type { ControllerEvents } from '../run/event-recorder.ts'
import { isNameTaken } from '../run/refusals.ts'
import type { ControllerWriter } from '../run/writer.ts'
import type { ClaimWrites } from './claim-writes.ts'
import { identityLabels, podNameOf, statefulPod } from './identity.ts'
import { podDone, podRefused } from './news.ts'
import { isHeldBack } from './rolling-update.ts'
import type { OrdinalPod } from './state.ts'
import type { RevisionNames } from './status.ts'

export interface StatefulPodWritesOptions {
  readonly pods: ResourceContext
  readonly revisions: ResourceContext
  readonly claimWrites: ClaimWrites
  readonly writer: ControllerWriter
  readonly recorder: ControllerEvents
}

/** Creates, repairs and deletes Pods of StatefulSets, with the usual Events of Kubernetes. */
export class StatefulPodWrites {
  readonly #options: StatefulPodWritesOptions

  constructor(options: StatefulPodWritesOptions) {
    this.#options = options
  }

  /** Creates the claims first. */
  async create(set: StatefulSet, ordinal: number, names: RevisionNames): Promise<void> {
    const name = podNameOf(set, ordinal)
    const told = { set: set.metadata.name ?? '', pod: name }
    const user = { name, uid: undefined, isScaledDown: false }
    const { pods, claimWrites, writer } = this.#options
    const { template, revision } = this.#templateFor(set, ordinal, names)
    try {
      claimWrites.requireLasting(set, ordinal, user)
      await claimWrites.createMissing(set, ordinal, user)
      await writer.create(pods, statefulPod(set, ordinal, template, revision))
    } catch (error) {
      if (!isNameTaken(error)) this.#options.recorder.record(set, podRefused('create', told, error))
      throw error
    }
    this.#options.recorder.record(set, podDone('create', told))
  }

  async mend(set: StatefulSet, { ordinal, pod }: OrdinalPod): Promise<void> {
    const told = { set: set.metadata.name ?? '', pod: pod.name }
    const mended = (object: KubeObject): KubeObject | undefined => {
      if (object.metadata.uid !== pod.uid) return undefined
      const labels = { ...object.metadata.labels, ...identityLabels(set, ordinal) }
      return { ...object, metadata: { ...object.metadata, labels } }
    }
    try {
      await this.#options.writer.edit(this.#options.pods, pod, mended)
    } catch (error) {
      this.#options.recorder.record(set, podRefused('update', told, error))
      throw error
    }
    this.#options.recorder.record(set, podDone('update', told))
  }

  async remove(set: StatefulSet, pod: PodFacts): Promise<void> {
    const told = { set: set.metadata.name ?? '', pod: pod.name }
    try {
      await this.#options.writer.delete(this.#options.pods, pod)
    } catch (error) {
      if (isRefusal(error, 404, 409)) return
      this.#options.recorder.record(set, podRefused('delete', told, error))
      throw error
    }
    this.#options.recorder.record(set, podDone('delete', told))
  }

  /** Below the partition, Pods are recreated from the previous template. */
  #templateFor(
    set: StatefulSet,
    ordinal: number,
    { current, update }: RevisionNames,
  ): { readonly template: PodTemplateSpec; readonly revision: string } {
    const latest = { template: set.spec.template, revision: update }
    if (current === update || !isHeldBack(set, ordinal)) return latest
    const { namespace = '' } = set.metadata
    const found = this.#options.revisions.cache.get({ namespace, name: current })?.object
    const template = found && completedTemplate(templateIn((found as ControllerRevision).data))
    return template === undefined ? latest : { template, revision: current }
  }
}
