import type { KeyOwner } from '../../auth/keys/contract.ts'

/** The names of all stored keys by whom they act for, so that nobody has to go through all of them for a few. */
export class KeysByOwner {
  readonly #names = new Map<string, Set<string>>()

  /** In order. */
  namesOf(owners: readonly KeyOwner[]): readonly string[] {
    return owners.flatMap((owner) => [...(this.#names.get(textOf(owner)) ?? [])]).sort()
  }

  add(owner: KeyOwner | undefined, name: string): void {
    if (owner === undefined) return
    const text = textOf(owner)
    const names = this.#names.get(text)
    if (names === undefined) this.#names.set(text, new Set([name]))
    else names.add(name)
  }

  remove(owner: KeyOwner | undefined, name: string): void {
    if (owner === undefined) return
    const text = textOf(owner)
    const names = this.#names.get(text)
    names?.delete(name)
    if (names?.size === 0) this.#names.delete(text)
  }
}

function textOf({ kind, name }: KeyOwner): string {
  return `${kind}/${name}`
}
