import type { ResourceContext } from '../context.ts'
import type { ObjectRegistry } from '../registry.ts'

/**
 * Follows every stored kind as kinds are added, removed and replaced by others of the same name. `follow` is called
 * once for each kind, and the function that it returns when that kind is no longer served. Views of other kinds are
 * left out.
 */
export class FollowedKinds {
  readonly #registry: ObjectRegistry
  readonly #follow: (context: ResourceContext) => () => void
  readonly #followed = new Map<ResourceContext, () => void>()
  readonly #stopListening: () => void

  constructor(registry: ObjectRegistry, follow: (context: ResourceContext) => () => void) {
    this.#registry = registry
    this.#follow = follow
    this.#stopListening = registry.onChange(() => this.#update())
    this.#update()
  }

  stop(): void {
    this.#stopListening()
    for (const end of this.#followed.values()) end()
    this.#followed.clear()
  }

  #update(): void {
    const stored = new Set(this.#registry.contexts().filter(({ kind }) => kind.storedAs === undefined))
    for (const [context, end] of this.#followed) {
      if (stored.has(context)) continue
      this.#followed.delete(context)
      end()
    }
    for (const context of stored) {
      if (!this.#followed.has(context)) this.#followed.set(context, this.#follow(context))
    }
  }
}
