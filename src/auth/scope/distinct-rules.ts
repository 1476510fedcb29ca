/** More than a review shows. */
const mostShownCharacters = 1024 * 1024
/** More than is gone through to find out that a rule is there already. */
const mostCharacters = 16 * 1024 * 1024

/** Rules, each once, as long as they are not too much to show. */
export class DistinctRules<Rule> {
  readonly #byText = new Map<string, Rule>()
  #shownCharacters = 0
  #characters = 0

  get all(): readonly Rule[] {
    return [...this.#byText.values()]
  }

  /** False: they are too much. */
  add(rules: readonly Rule[]): boolean {
    for (const rule of rules) {
      const text = JSON.stringify(rule)
      this.#characters += text.length
      if (!this.#byText.has(text)) this.#shownCharacters += text.length
      if (this.#shownCharacters > mostShownCharacters || this.#characters > mostCharacters) return false
      this.#byText.set(text, rule)
    }
    return true
  }
}
