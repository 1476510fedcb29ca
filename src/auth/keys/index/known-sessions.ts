import type { KeyOwner, StartedWith } from '../contract.ts'
import type { KeyEntry } from './key-entry.ts'

/** Sessions by the key they were started with, and by their owner. */
export class KnownSessions {
  readonly #all = new Set<KeyEntry>()
  readonly #byKey = new Map<string, Set<KeyEntry>>()
  readonly #byOwner = new Map<string, Set<KeyEntry>>()

  all(): Iterable<KeyEntry> {
    return this.#all
  }

  startedWith(keyUid: string): readonly KeyEntry[] {
    return [...(this.#byKey.get(keyUid) ?? [])]
  }

  of(owner: KeyOwner): readonly KeyEntry[] {
    return [...(this.#byOwner.get(ownerText(owner)) ?? [])]
  }

  /** Ignores keys that are not sessions. */
  add(entry: KeyEntry): void {
    if (entry.session === undefined) return
    this.#all.add(entry)
    const uid = endsWith(entry.session.startedWith)
    if (uid !== undefined) put(this.#byKey, uid, entry)
    put(this.#byOwner, ownerText(entry.owner), entry)
  }

  remove(entry: KeyEntry): void {
    if (!this.#all.delete(entry)) return
    const uid = entry.session && endsWith(entry.session.startedWith)
    if (uid !== undefined) take(this.#byKey, uid, entry)
    take(this.#byOwner, ownerText(entry.owner), entry)
  }
}

/** Uid of the key, or of the other session, that a session ends with. */
function endsWith(startedWith: StartedWith): string | undefined {
  switch (startedWith.kind) {
    case 'key':
      return startedWith.uid
    case 'identity':
      return startedWith.session
    case 'token':
      return undefined
  }
}

function ownerText({ kind, name }: KeyOwner): string {
  return `${kind}/${name}`
}

function put(sets: Map<string, Set<KeyEntry>>, name: string, entry: KeyEntry): void {
  const set = sets.get(name)
  if (set === undefined) sets.set(name, new Set([entry]))
  else set.add(entry)
}

function take(sets: Map<string, Set<KeyEntry>>, name: string, entry: KeyEntry): void {
  const set = sets.get(name)
  set?.delete(entry)
  if (set?.size === 0) sets.delete(name)
}
