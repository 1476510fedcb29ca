/**
 * Which webhooks are asked a second time: those that want it, if the object was changed after they had seen it. None is asked
 * a third time, and none is asked for the first time in the second round.
 */
export class Reinvocations {
  readonly #asked = new Set<string>()
  readonly #again = new Set<string>()

  /** To be called before `asked` of the webhook that has changed the object, which knows what it has made of it. */
  changed(): void {
    for (const id of this.#asked) this.#again.add(id)
    this.#asked.clear()
  }

  asked({ id, isReinvoked }: { readonly id: string; readonly isReinvoked: boolean }): void {
    if (isReinvoked) this.#asked.add(id)
  }

  isDue({ id }: { readonly id: string }): boolean {
    return this.#again.has(id)
  }
}
