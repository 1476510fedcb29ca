import type { CelResult } from './value.ts'

/** What was made of the parts of a value, each once. Scalars are made as quickly as they are found. */
export class KeptValues<Key, Value extends CelResult> {
  #kept: Map<Key, Value> | undefined

  get(key: Key, make: () => Value): Value {
    const known = this.#kept?.get(key)
    if (known !== undefined) return known
    const made = make()
    if (typeof made !== 'object' || made === null) return made
    this.#kept ??= new Map()
    this.#kept.set(key, made)
    return made
  }
}
