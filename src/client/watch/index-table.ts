import type { KubeObject } from '../../api/object.ts'

/** Finds the keys of objects by values that a function reads from them. */
export class IndexTable {
  readonly #valuesOf: (object: KubeObject) => readonly string[]
  readonly #keys = new Map<string, Set<string>>()

  constructor(valuesOf: (object: KubeObject) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  find(value: string): Iterable<string> {
    return this.#keys.get(value) ?? []
  }

  has(value: string): boolean {
    return this.#keys.has(value)
  }

  replace(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const old = before === undefined ? [] : this.#valuesOf(before)
    const current = new Set(after === undefined ? [] : this.#valuesOf(after))
    for (const value of old) if (!current.has(value)) this.#remove(value, key)
    for (const value of current) this.#add(value, key)
  }

  #add(value: string, key: string): void {
    const keys = this.#keys.get(value)
    if (keys === undefined) this.#keys.set(value, new Set([key]))
    else keys.add(key)
  }

  #remove(value: string, key: string): void {
    const keys = this.#keys.get(value)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(value)
  }
}
