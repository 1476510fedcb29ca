import type { OwnerReference } from '../../api/object.ts'
import type { Pace } from '../../base/pace.ts'
import { deadlocked, type Holds } from './deadlocked.ts'
import { mayBlock, type Owner, type OwnerGraph } from './owner-graph.ts'

/** A waiting owner and its subject. */
interface Waiting {
  readonly subject: string
  readonly owner: Owner
}

/** Objects under deletion that wait for their dependents to be deleted first. */
export class WaitingOwners {
  readonly #graph: OwnerGraph
  readonly #byUid = new Map<string, Waiting>()
  readonly #bySubject = new Map<string, Waiting>()

  constructor(graph: OwnerGraph) {
    this.#graph = graph
  }

  find(uid: string): Waiting | undefined {
    return this.#byUid.get(uid)
  }

  has(subject: string): boolean {
    return this.#bySubject.has(subject)
  }

  /** Returns whether the object was not waiting before. */
  add(subject: string, owner: Owner): boolean {
    const isNew = !this.has(subject)
    const waiting = { subject, owner }
    this.#byUid.set(owner.uid, waiting)
    this.#bySubject.set(subject, waiting)
    return isNew
  }

  remove(subject: string): void {
    this.#byUid.delete(this.#bySubject.get(subject)?.owner.uid ?? '')
    this.#bySubject.delete(subject)
  }

  /** Subjects that wait, possibly through others, for owners that wait for them; each with the uids of those owners. */
  async deadlocked(pace: Pace): Promise<Holds> {
    const holds = new Map<string, readonly string[]>()
    for (const [subject, { owner }] of this.#bySubject) {
      const held = this.#heldBy(subject)
      if (held.length > 0) holds.set(owner.uid, held)
      if (pace.isDue()) await pace.rest()
    }
    const endless = await deadlocked(holds, pace)
    return new Map([...endless].flatMap(([uid, owners]) => this.#withSubject(uid, owners)))
  }

  /** The uids of owners that wait for the subject. */
  #heldBy(subject: string): readonly string[] {
    const references = this.#graph.blockingReferences(subject)
    return references.filter((reference) => this.#isHeld(reference, subject)).map(({ uid }) => uid)
  }

  #isHeld(reference: OwnerReference, subject: string): boolean {
    const waiting = this.#byUid.get(reference.uid)
    return waiting !== undefined && mayBlock(reference, subject, waiting.owner)
  }

  #withSubject(uid: string, owners: readonly string[]): [string, readonly string[]][] {
    const waiting = this.#byUid.get(uid)
    return waiting === undefined ? [] : [[waiting.subject, owners]]
  }
}
