import type { KeyOwner } from '../../../auth/keys/contract.ts'

/** A list until a key is removed: most owners only gain keys, and a list is smaller and faster to fill. */
type Names = string[] | Set<string>

/** The names of all stored keys by the owner they act for, so that finding a few does not take a scan of all keys. */
export class KeysByOwner {
  readonly #names: Readonly<Record<KeyOwner['kind'], Map<string, Names>>> = {
    user: new Map(),
    team: new Map(),
    subject: new Map(),
  }

  namesOf(owners: readonly KeyOwner[]): readonly string[] {
    return owners.flatMap(({ kind, name }) => [...(this.#names[kind].get(name) ?? [])])
  }

  /** The key must not be present yet. */
  add(owner: KeyOwner | undefined, keyName: string): void {
    if (owner === undefined) return
    const ofKind = this.#names[owner.kind]
    const known = ofKind.get(owner.name)
    if (known === undefined) ofKind.set(owner.name, [keyName])
    else if (known instanceof Set) known.add(keyName)
    else known.push(keyName)
  }

  remove(owner: KeyOwner | undefined, keyName: string): void {
    if (owner === undefined) return
    const ofKind = this.#names[owner.kind]
    const known = ofKind.get(owner.name) ?? []
    const left = known instanceof Set ? known : new Set(known)
    left.delete(keyName)
    if (left.size === 0) ofKind.delete(owner.name)
    else ofKind.set(owner.name, left)
  }
}
