import type { Store } from '../../storage/contract.ts'

/**
 * Values that may each belong to one owner only, such as addresses. Claims are in the store, so they hold across
 * replicas.
 */
export class ExclusiveClaims {
  readonly #store: Store
  readonly #prefix: string

  constructor(store: Store, name: string) {
    this.#store = store
    this.#prefix = `/claims/${name}/`
  }

  /** Whether the owner holds the value now, by this call or from before. */
  async claim(value: string, owner: string): Promise<boolean> {
    const result = await this.#store.create(this.#prefix + value, Buffer.from(owner))
    if (result.outcome === 'written') return true
    return result.current !== undefined && Buffer.from(result.current.value).toString() === owner
  }

  async release(value: string, owner: string): Promise<void> {
    const held = await this.#store.get(this.#prefix + value)
    if (held === undefined || Buffer.from(held.value).toString() !== owner) return
    await this.#store.delete(held.key, held.revision)
  }

  async all(): Promise<readonly { readonly value: string; readonly owner: string }[]> {
    const { items } = await this.#store.list(this.#prefix)
    return items.map(({ key, value }) => ({
      value: key.slice(this.#prefix.length),
      owner: Buffer.from(value).toString(),
    }))
  }
}
