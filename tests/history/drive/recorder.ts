import type { Call, Follow, History, List } from '../checker/history.ts'

/** Records the events of one round. */
export class Recorder implements History {
  readonly calls: Call[] = []
  readonly lists: List[] = []
  readonly follows: Follow[] = []
  /** Answers that no client may get, whatever fails. */
  readonly surprises: string[] = []
  #ids = 0

  nextId(prefix: string): string {
    this.#ids += 1
    return `${prefix}-${this.#ids}`
  }

  get operations(): number {
    const pages = this.lists.reduce((sum, { pages }) => sum + pages.length, 0)
    const steps = this.follows.reduce((sum, { steps }) => sum + steps.filter(({ is }) => is === 'resumed').length, 0)
    return this.calls.length + pages + steps
  }

  get events(): number {
    return this.follows.reduce((sum, { steps }) => sum + steps.filter(({ is }) => is === 'event').length, 0)
  }

  get unknown(): number {
    return this.calls.filter(({ outcome }) => outcome.is === 'unknown').length
  }
}
