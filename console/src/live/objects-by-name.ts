import type { KubeObject } from '../api/objects.ts'

/**
 * Objects in an order in which each keeps its place while it changes, so that two states can be compared place by
 * place. When one is removed, the last one takes its place.
 */
export class ObjectsByName<T extends KubeObject> {
  readonly #objects: T[] = []
  readonly #places = new Map<string, number>()
  #shown: readonly T[] | undefined

  get size(): number {
    return this.#objects.length
  }

  /** The current objects; later changes do not affect the list. The same list while nothing changes. */
  all(): readonly T[] {
    this.#shown ??= this.#objects.slice()
    return this.#shown
  }

  put(object: T): void {
    this.#shown = undefined
    const name = fullNameOf(object)
    const place = this.#places.get(name) ?? this.#objects.length
    this.#places.set(name, place)
    this.#objects[place] = object
  }

  remove(object: KubeObject): void {
    const name = fullNameOf(object)
    const place = this.#places.get(name)
    const last = this.#objects.at(-1)
    if (place === undefined || last === undefined) return
    this.#shown = undefined
    this.#objects[place] = last
    this.#places.set(fullNameOf(last), place)
    this.#objects.pop()
    this.#places.delete(name)
  }

  /** Keeps only these names. */
  retain(names: ReadonlySet<string>): void {
    for (const object of this.all()) if (!names.has(fullNameOf(object))) this.remove(object)
  }
}

export function fullNameOf({ metadata: { namespace, name = '' } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}
