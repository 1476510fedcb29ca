import type { Pace } from '../../base/pace.ts'
import { deadlocked, type Holds } from './deadlocked.ts'
import type { OwnerGraph } from './owner-graph.ts'

/** Objects that are being deleted and wait for their dependents to go first. */
export class WaitingOwners {
  readonly #graph: OwnerGraph
  readonly #subjectsByUid = new Map<string, string>()
  readonly #uidsBySubject = new Map<string, string>()

  constructor(graph: OwnerGraph) {
    this.#graph = graph
  }

  subjectOf(uid: string): string | undefined {
    return this.#subjectsByUid.get(uid)
  }

  has(subject: string): boolean {
    return this.#uidsBySubject.has(subject)
  }

  /** Says whether it is new that the object waits. */
  add(subject: string, uid: string): boolean {
    const isNew = !this.has(subject)
    this.#subjectsByUid.set(uid, subject)
    this.#uidsBySubject.set(subject, uid)
    return isNew
  }

  remove(subject: string): void {
    this.#subjectsByUid.delete(this.#uidsBySubject.get(subject) ?? '')
    this.#uidsBySubject.delete(subject)
  }

  /** Subjects that wait, in the end, for owners that wait for them: each with the uids of those owners. */
  async deadlocked(pace: Pace): Promise<Holds> {
    const holds = new Map<string, readonly string[]>()
    for (const [subject, uid] of this.#uidsBySubject) {
      const held = this.#graph.ownersBlockedBy(subject).filter((owner) => this.#subjectsByUid.has(owner))
      if (held.length > 0) holds.set(uid, held)
      if (pace.isDue()) await pace.rest()
    }
    const endless = await deadlocked(holds, pace)
    return new Map([...endless].flatMap(([uid, owners]) => this.#withSubject(uid, owners)))
  }

  #withSubject(uid: string, owners: readonly string[]): [string, readonly string[]][] {
    const subject = this.#subjectsByUid.get(uid)
    return subject === undefined ? [] : [[subject, owners]]
  }
}
