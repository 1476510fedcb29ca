/**
 * Which webhooks are called a second time: those that ask for it, if the object changed after they saw it. None is
 * called a third time, and none is called for the first time in the second round.
 */
export class Reinvocations {
  readonly #asked = new Set<string>()
  readonly #again = new Set<string>()

  /** Call it before `asked` for the webhook that changed the object, since that webhook knows its own change. */
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
