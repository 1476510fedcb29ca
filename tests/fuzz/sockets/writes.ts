import { configMaps, type Victim } from '../../attacks/transport/support/victim.ts'

/** Every write creates an object with a unique prefix, so that executions can be counted. */
export class Writes {
  readonly #acknowledged = new Set<string>()
  readonly #carriedOut = new Map<string, number>()
  #begun = 0

  get begun(): number {
    return this.#begun
  }

  get carriedOut(): number {
    return this.#carriedOut.size
  }

  next(): { readonly prefix: string; readonly body: string } {
    this.#begun += 1
    const prefix = `w${this.#begun}-`
    return { prefix, body: JSON.stringify({ metadata: { generateName: prefix } }) }
  }

  /** Looks for names in an answer: an answered write has been carried out. */
  noteAnswers(text: string): void {
    for (const [, prefix] of text.matchAll(/"name":"(w\d+-)/g)) if (prefix !== undefined) this.#acknowledged.add(prefix)
  }

  /** Counts the objects, and deletes them. Throws if a write was carried out twice, or answered and not carried out. */
  async check({ client }: Victim): Promise<void> {
    const { items = [] } = await client.must('GET', configMaps)
    for (const { metadata } of items) {
      const [prefix] = /^w\d+-/.exec(metadata.name ?? '') ?? []
      if (prefix !== undefined) this.#carriedOut.set(prefix, (this.#carriedOut.get(prefix) ?? 0) + 1)
    }
    const repeated = [...this.#carriedOut].filter(([, count]) => count > 1)
    if (repeated.length > 0) throw new Error(`carried out more than once: ${JSON.stringify(repeated.slice(0, 5))}`)
    const lost = [...this.#acknowledged].filter((prefix) => !this.#carriedOut.has(prefix))
    if (lost.length > 0) throw new Error(`answered, and not carried out: ${JSON.stringify(lost.slice(0, 5))}`)
    this.#acknowledged.clear()
    await client.must('DELETE', configMaps)
  }
}
