import { deepEqual } from '../../base/equal.ts'
import type { AggregatedResource } from './contract.ts'
import { sizeOfResource } from './resource-list.ts'

/** Every discovery client receives all of it. */
const mostCharacters = 2 * 1024 * 1024

interface Known {
  readonly resources: readonly AggregatedResource[]
  readonly size: number
}

/** The resource lists of users' servers, up to a total size. */
export class KnownResources {
  readonly #known = new Map<string, Known>()
  #size = 0

  /** Undefined: unknown. */
  of(name: string): readonly AggregatedResource[] | undefined {
    return this.#known.get(name)?.resources
  }

  /** Returns whether anything has changed. A list that does not fit is dropped. */
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
