import { deepEqual } from '../../base/equal.ts'
import type { AggregatedResource } from './contract.ts'
import { sizeOfResource } from './resource-list.ts'

/** Every client of discovery is sent all of it. */
const mostCharacters = 2 * 1024 * 1024

interface Known {
  readonly resources: readonly AggregatedResource[]
  readonly size: number
}

/** What the servers of APIs have said that they serve, as far as there is room for it. */
export class KnownResources {
  readonly #known = new Map<string, Known>()
  #size = 0

  /** Undefined: not known. */
  of(name: string): readonly AggregatedResource[] | undefined {
    return this.#known.get(name)?.resources
  }

  /** Returns whether anything has changed. What there is no room for is not known. */
  learn(name: string, resources: readonly AggregatedResource[]): boolean {
    if (deepEqual(resources, this.of(name))) return false
    const isGone = this.forget(name)
    const size = resources.reduce((sum, resource) => sum + sizeOfResource(resource), 0)
    if (this.#size + size > mostCharacters) return isGone
    this.#known.set(name, { resources, size })
    this.#size += size
    return true
  }

  /** Returns whether anything was known. */
  forget(name: string): boolean {
    this.#size -= this.#known.get(name)?.size ?? 0
    return this.#known.delete(name)
  }
}
