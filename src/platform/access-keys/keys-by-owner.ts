import type { KeyOwner } from '../../auth/keys/contract.ts'

type NamesByOwner = Map<string, Set<string>>

/** The names of all stored keys by whom they act for, so that nobody has to go through all of them for a few. */
export class KeysByOwner {
  readonly #names: Readonly<Record<KeyOwner['kind'], NamesByOwner>> = {
    user: new Map(),
    team: new Map(),
    subject: new Map(),
  }

  namesOf(owners: readonly KeyOwner[]): readonly string[] {
    return owners.flatMap(({ kind, name }) => [...(this.#names[kind].get(name) ?? [])])
  }

  add(owner: KeyOwner | undefined, keyName: string): void {
    if (owner === undefined) return
    const ofKind = this.#names[owner.kind]
    const known = ofKind.get(owner.name)
    if (known === undefined) ofKind.set(owner.name, new Set([keyName]))
    else known.add(keyName)
  }

  remove(owner: KeyOwner | undefined, keyName: string): void {
    if (owner === undefined) return
    const ofKind = this.#names[owner.kind]
    const known = ofKind.get(owner.name)
    known?.delete(keyName)
    if (known?.size === 0) ofKind.delete(owner.name)
  }
}
