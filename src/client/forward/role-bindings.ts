import { type BindingToCreate, bindRole } from './bind-role.ts'
import type { Forwarder } from './contract.ts'

const freshMs = 60_000

/** Ensures that groups are bound to roles in an API before a request uses them. Checks again once a minute. */
export class RoleBindings {
  readonly #now: () => number
  readonly #made = new Map<string, { readonly atMs: number; readonly done: Promise<void> }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** `bindingOf` decides which groups need a binding. */
  async ensure(
    forwarder: Forwarder,
    headers: readonly string[],
    bindingOf: (group: string) => BindingToCreate | undefined,
  ): Promise<void> {
    for (let index = 0; index + 1 < headers.length; index += 2) {
      if (headers[index] !== 'impersonate-group') continue
      const binding = bindingOf(headers[index + 1] ?? '')
      if (binding !== undefined) await this.#ensureOne(forwarder, binding)
    }
  }

  /** A binding that existed a minute ago is not waited for. */
  #ensureOne(forwarder: Forwarder, binding: BindingToCreate): Promise<void> | undefined {
    const id = JSON.stringify(binding)
    const known = this.#made.get(id)
    if (known !== undefined && this.#now() - known.atMs < freshMs) return known.done
    const done = bindRole(forwarder, binding)
    this.#made.set(id, { atMs: this.#now(), done })
    done.catch(() => this.#made.delete(id))
    return known === undefined ? done : undefined
  }
}
