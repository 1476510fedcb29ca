import type { KubeObject } from '../api/object.ts'

/** Two generations are kept, each of so many bytes of JSON. */
const generationBytes = 512 * 1024
/** A larger object would push out many that are asked for more often. */
const largestKept = 64 * 1024

/**
 * The objects that were parsed last. After a write, watches, indexes and controllers all ask for the same one within moments.
 * Objects are never changed, so that they can share it.
 */
export class RecentObjects<Key extends object> {
  #younger = new Map<Key, KubeObject>()
  #older = new Map<Key, KubeObject>()
  #youngerBytes = 0

  /** `bytes`: of the JSON that is parsed. Defaults may make it much longer than what is stored. */
  get(key: Key, bytes: number, parse: () => KubeObject): KubeObject {
    const known = this.#younger.get(key) ?? this.#older.get(key)
    if (known !== undefined) return known
    const object = parse()
    if (bytes <= largestKept) this.#keep(key, bytes, object)
    return object
  }

  #keep(key: Key, bytes: number, object: KubeObject): void {
    this.#younger.set(key, object)
    this.#youngerBytes += bytes
    if (this.#youngerBytes < generationBytes) return
    this.#older = this.#younger
    this.#younger = new Map()
    this.#youngerBytes = 0
  }
}
