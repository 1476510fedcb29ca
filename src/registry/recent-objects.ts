import type { KubeObject } from '../api/object.ts'

/** Two generations are kept, each with this many bytes of JSON. */
const generationBytes = 512 * 1024
/** A larger object would displace many that are needed more often. */
const largestKept = 64 * 1024
/** Of larger objects, the last few can be reused while their memory is not needed otherwise. */
const mostLarge = 4

/**
 * Recently parsed objects. After a write, watches, indexes and controllers all need the same object almost at once.
 * Objects are immutable, so they can share it.
 */
export class RecentObjects<Key extends object> {
  #younger = new Map<Key, KubeObject>()
  #older = new Map<Key, KubeObject>()
  #youngerBytes = 0
  /** The oldest comes first. */
  readonly #large = new Map<Key, WeakRef<KubeObject>>()

  /** `bytes`: the size of the parsed JSON. Defaults may make it much longer than the stored form. */
  get(key: Key, bytes: number, parse: () => KubeObject): KubeObject {
    const known = this.#younger.get(key) ?? this.#older.get(key) ?? this.#large.get(key)?.deref()
    if (known !== undefined) return known
    const object = parse()
    if (bytes <= largestKept) this.#keep(key, bytes, object)
    else this.#keepLarge(key, object)
    return object
  }

  #keepLarge(key: Key, object: KubeObject): void {
    this.#large.delete(key)
    this.#large.set(key, new WeakRef(object))
    const [oldest] = this.#large.keys()
    if (this.#large.size > mostLarge && oldest !== undefined) this.#large.delete(oldest)
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
