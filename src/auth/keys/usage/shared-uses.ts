import type { KeyUse } from '../contract.ts'
import { useText } from './fold-uses.ts'

export interface SharedUse {
  readonly text: string
  readonly use: KeyUse
  holders: number
}

/** Keeps each use once, as long as it has a holder, because many keys do the same. */
export class SharedUses {
  readonly #uses = new Map<string, SharedUse>()

  /** The caller must hold the result, or it stays forever. */
  find(use: KeyUse): SharedUse {
    const text = useText(use)
    const known = this.#uses.get(text)
    if (known !== undefined) return known
    const shared = { text, use: copied(use), holders: 0 }
    this.#uses.set(text, shared)
    return shared
  }

  release(shared: SharedUse): void {
    shared.holders--
    if (shared.holders === 0) this.#uses.delete(shared.text)
  }
}

/** Copies the texts, so that no substring keeps the whole request line in memory. */
function copied(use: KeyUse): KeyUse {
  return JSON.parse(JSON.stringify(use))
}
