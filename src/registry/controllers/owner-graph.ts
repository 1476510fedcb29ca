import type { KubeObject, OwnerReference } from '../../api/object.ts'
import type { Cache } from '../cache.ts'
import type { StoredDocument } from '../document.ts'
import { relativeKey } from '../storage-key.ts'
import { SetsByKey } from './sets-by-key.ts'

/** Which objects name which owners, across all kinds, kept up to date from the caches. */
export class OwnerGraph {
  /** By the owner's uid. */
  readonly #dependents = new SetsByKey()
  readonly #blockers = new SetsByKey()
  readonly #references = new Map<string, readonly OwnerReference[]>()

  /** The subjects (see subjectOf) that name the owner. */
  dependentsOf(ownerUid: string): ReadonlySet<string> {
    return this.#dependents.of(ownerUid)
  }

  /** Those among them that want it to stay until they have gone. */
  blockersOf(ownerUid: string): ReadonlySet<string> {
    return this.#blockers.of(ownerUid)
  }

  /** The owners that the subject wants to stay until it has gone. */
  ownersBlockedBy(subject: string): readonly string[] {
    return (this.#references.get(subject) ?? []).filter(isBlocking).map(({ uid }) => uid)
  }

  get isEmpty(): boolean {
    return this.#references.size === 0
  }

  update(subject: string, references: readonly OwnerReference[]): void {
    this.remove(subject)
    if (references.length === 0) return
    this.#references.set(subject, references)
    for (const reference of references) {
      this.#dependents.add(reference.uid, subject)
      if (isBlocking(reference)) this.#blockers.add(reference.uid, subject)
    }
  }

  remove(subject: string): void {
    for (const { uid } of this.#references.get(subject) ?? []) {
      this.#dependents.delete(uid, subject)
      this.#blockers.delete(uid, subject)
    }
    this.#references.delete(subject)
  }
}

function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true
}

/** One object among all kinds: its storage prefix and its key below it. */
export function subjectOf(cache: Cache, document: StoredDocument): string {
  return `${cache.prefix}\n${relativeKey(document)}`
}

export function parseSubject(subject: string): { readonly prefix: string; readonly key: string } {
  const [prefix = '', key = ''] = subject.split('\n')
  return { prefix, key }
}

const none: readonly OwnerReference[] = []

/** Parsed only where the text shows that there is something to read: most objects have no owner. */
export function ownerReferencesOf(document: StoredDocument): readonly OwnerReference[] {
  if (!document.mentions('ownerReferences')) return none
  return referencesIn(document.object)
}

function referencesIn(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? []
}
