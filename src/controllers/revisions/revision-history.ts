import { type ApiError, isRefusal } from '../../api/error.ts'
import { objectKeyOf } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { ControllerRevision } from '../../api/types/apps-v1.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { controllerIn, ownerId } from '../ownership/owned.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { requireSelected } from '../ownership/require-selected.ts'
import { templateHash } from '../pods/template-hash.ts'
import type { ControllerWriter } from '../run/writer.ts'
import { templateDigest } from './completed-template.ts'
import { controllerRevisionOf, type NewRevision, planRevision, type Revised, surplusRevisions } from './plan.ts'
import { type RevisionFacts, revisionFactsFrom } from './revision-facts.ts'

export interface RevisionHistoryOptions {
  readonly owners: ResourceContext
  readonly revisions: ResourceContext
  readonly revisionsKnown: OwnedObjects<RevisionFacts>
  readonly writer: ControllerWriter
  /** What a new revision has besides the labels of the template. */
  readonly marks: (owner: Revised, hash: string) => Pick<NewRevision, 'labels' | 'annotations'>
}

/** The past templates of an owner, as ControllerRevisions. */
export class RevisionHistory {
  readonly #options: RevisionHistoryOptions

  constructor(options: RevisionHistoryOptions) {
    this.#options = options
  }

  /** All revisions of the owner, after adoptions and releases. */
  async claim(owner: Revised, selector: LabelSelector): Promise<readonly RevisionFacts[]> {
    const { owners, revisions, revisionsKnown: known, writer } = this.#options
    await claimDependents(writer, { owners, dependents: revisions, known }, { owner, selector })
    return known.ownedBy(ownerId(owner)).filter(({ labels }) => selector.matches(labels))
  }

  /**
   * The revision of the owner's template, created if it does not exist. Undefined if its name is taken: the collision
   * is counted in the owner's status, and the next reconciliation chooses another name.
   */
  async current(owner: Revised, known: readonly RevisionFacts[]): Promise<RevisionFacts | undefined> {
    const wanted = planRevision(templateDigest(owner.spec.template), known)
    if (wanted.state === 'missing') return this.#create(owner, wanted.number)
    const { facts, number } = wanted
    if (facts.revision === number) return facts
    const { revisions, writer } = this.#options
    const renumber = (object: ControllerRevision) =>
      object.revision >= number ? undefined : { ...object, revision: number }
    await writer.edit(revisions, facts, (object) => renumber(object as ControllerRevision))
    return { ...facts, revision: number }
  }

  async trim(
    owner: Revised,
    known: readonly RevisionFacts[],
    isInUse: (facts: RevisionFacts) => boolean,
  ): Promise<void> {
    for (const each of surplusRevisions(owner, known, isInUse)) await this.#remove(each)
  }

  async #create(owner: Revised, number: number): Promise<RevisionFacts | undefined> {
    const { revisions, writer, marks } = this.#options
    const hash = templateHash(owner.spec.template, owner.status.collisionCount ?? 0)
    const wanted = controllerRevisionOf(owner, { number, hash, ...marks(owner, hash) })
    requireSelected(owner.spec.selector, wanted)
    try {
      await writer.create(revisions, wanted)
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
      await this.#collided(owner, wanted, error)
      return undefined
    }
    return revisionFactsFrom(wanted)
  }

  /** An object that is not in the cache, or belongs to the owner, was just created or changed: it is retried. */
  async #collided(owner: Revised, wanted: ControllerRevision, error: ApiError): Promise<void> {
    const { owners, revisions, writer } = this.#options
    const there = revisions.cache.get(objectKeyOf(wanted))?.object
    if (there === undefined || controllerIn(there.metadata)?.uid === owner.metadata.uid) throw error
    const collisionCount = (owner.status.collisionCount ?? 0) + 1
    await writer.replace(owners, owner, { ...owner, status: { ...owner.status, collisionCount } }, 'status')
  }

  async #remove(facts: RevisionFacts): Promise<void> {
    const { revisions, writer } = this.#options
    try {
      await writer.delete(revisions, facts)
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}
