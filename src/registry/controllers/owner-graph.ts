import type { KubeObject, OwnerReference } from '../../api/object.ts'
import type { Cache } from '../cache.ts'
import type { StoredDocument } from '../document.ts'
import { relativeKey } from '../storage-key.ts'

/** Which objects name which owners, across all kinds, kept up to date from the caches. */
export class OwnerGraph {
  readonly #dependents = new Map<string, Set<string>>()
  readonly #owners = new Map<string, readonly string[]>()

  /** The subjects (see subjectOf) that name the owner. */
  dependentsOf(ownerUid: string): readonly string[] {
    return [...(this.#dependents.get(ownerUid) ?? [])]
  }

  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  update(subject: string, references: readonly OwnerReference[]): void {
    if (references.length === 0 && !this.#owners.has(subject)) return
    this.remove(subject)
    if (references.length === 0) return
    const uids = references.map((reference) => reference.uid)
    this.#owners.set(subject, uids)
    for (const uid of uids) this.#setOf(uid).add(subject)
  }

  remove(subject: string): void {
    for (const uid of this.#owners.get(subject) ?? []) {
      const dependents = this.#dependents.get(uid)
      dependents?.delete(subject)
      if (dependents?.size === 0) this.#dependents.delete(uid)
    }
    this.#owners.delete(subject)
  }

  #setOf(uid: string): Set<string> {
    const known = this.#dependents.get(uid)
    if (known !== undefined) return known
    const created = new Set<string>()
    this.#dependents.set(uid, created)
    return created
  }
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
