import type { Change, Changes } from './changes.ts'
import { type History, print, reachedBy, type Sight } from './history.ts'

/** What may have stood under a name at a revision. */
export interface Possible {
  /** The state that was told last; absent if none was, or its end was. */
  readonly sight: Sight | undefined
  /** Whether it may have been gone although no answer tells when. */
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

  /** Between two tellings: an end that no watch was there to tell. */
  #mayHaveEnded({ sight }: Change, revision: number): boolean {
    if (!this.#deleted.has(sight.name)) return false
    return !this.#followed.some(({ from, to }) => from <= sight.revision && to >= revision)
  }

  /** Why what was shown cannot have been all there was of this name at the revision; nothing if it can. */
  contradiction(name: string, revision: number, shown: Sight | undefined): string | undefined {
    const { sight, mayBeGone } = this.at(name, revision)
    if (shown === undefined) {
      return sight === undefined || mayBeGone ? undefined : `${name} is missing at ${revision}: ${print(sight)}`
    }
    if (sight?.revision === shown.revision) return undefined
    return `${name} at ${revision} is shown as ${print(shown)} and was ${print(sight)}`
  }
}
