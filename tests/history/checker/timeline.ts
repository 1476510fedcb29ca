import type { Change, Changes } from './changes.ts'
import { type History, print, reachedBy, type Sight } from './history.ts'

/** The possible states of a name at a revision. */
export interface Possible {
  /** The last reported state; absent if there was none, or it had ended. */
  readonly sight: Sight | undefined
  /** Whether it may have been deleted although no answer shows when. */
  readonly mayBeGone: boolean
}

/** The states of all objects, in the order of revisions. */
export class Timeline {
  readonly #byName: Changes['byName']
  readonly #deleted: ReadonlySet<string>
  readonly #followed: readonly { readonly from: number; readonly to: number }[]

  constructor({ byName }: Changes, history: History) {
    this.#byName = byName
    const deletions = history.calls.filter(({ action, outcome }) => action.do === 'delete' && outcome.is !== 'refused')
    this.#deleted = new Set(deletions.map(({ action }) => action.name))
    this.#followed = history.follows.map((follow) => ({ from: follow.from, to: reachedBy(follow) }))
  }

  get names(): Iterable<string> {
    return this.#byName.keys()
  }

  changesOf(name: string): readonly Change[] {
    return this.#byName.get(name) ?? []
  }

  /** The last change up to the revision. */
  changeAt(name: string, revision: number): Change | undefined {
    return this.changesOf(name).findLast((change) => change.revision <= revision)
  }

  at(name: string, revision: number): Possible {
    const change = this.changeAt(name, revision)
    if (change === undefined || change.is === 'end') return { sight: undefined, mayBeGone: true }
    return { sight: change.sight, mayBeGone: this.#mayHaveEnded(change, revision) }
  }

  /** A deletion between two reports, which no watch saw. */
  #mayHaveEnded({ sight }: Change, revision: number): boolean {
    if (!this.#deleted.has(sight.name)) return false
    return !this.#followed.some(({ from, to }) => from <= sight.revision && to >= revision)
  }

  /** Why the shown state cannot be the state of this name at the revision; undefined if it can. */
  contradiction(name: string, revision: number, shown: Sight | undefined): string | undefined {
    const { sight, mayBeGone } = this.at(name, revision)
    if (shown === undefined) {
      return sight === undefined || mayBeGone ? undefined : `${name} is missing at ${revision}: ${print(sight)}`
    }
    if (sight?.revision === shown.revision) return undefined
    return `${name} at ${revision} is shown as ${print(shown)} and was ${print(sight)}`
  }
}
