import type { Chance } from '../../support/chance.ts'
import type { Data, EventType, Outcome, Refusal, Sight, Write } from '../checker/history.ts'

/** The faults that a store may be told to have. */
export type StoreFault =
  | 'lost update'
  | 'lost write'
  | 'lost deletion'
  | 'write carried out twice'
  | 'refused write carried out'
  | 'revision used twice'
  | 'revision goes back'
  | 'resurrected object'
  | 'stale read'

export interface Told {
  readonly type: EventType
  readonly sight: Sight
}

type Answer =
  | { readonly is: 'done'; readonly sight?: Sight; readonly uid?: string }
  | { readonly is: 'refused'; readonly because: Refusal }

/** The probability of the fault when it could occur. */
const faultRate = 0.3
/** How many revisions a stale answer is behind. */
const staleBy = 12

/** A store of revisions in memory that keeps every promise except the one that it is told to break. */
export class FaultyStore {
  revision = 100
  readonly log: Told[] = []
  readonly #chance: Chance
  readonly #fault: StoreFault | undefined
  #objects = new Map<string, Sight>()
  readonly #past: { readonly revision: number; readonly objects: ReadonlyMap<string, Sight> }[] = []
  #uids = 0

  constructor(chance: Chance, fault?: StoreFault) {
    this.#chance = chance
    this.#fault = fault
    this.#keep()
  }

  get(name: string): Sight | undefined {
    if (this.#fails('stale read')) return this.at(this.revision - staleBy).find((each) => each.name === name)
    return this.#objects.get(name)
  }

  /** In the order of names. */
  at(revision: number): readonly Sight[] {
    const state = this.#past.findLast((each) => each.revision <= revision) ?? this.#past[0]
    return [...(state?.objects.values() ?? [])].sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  write(action: Write): Answer {
    const refusal = this.#refusalOf(action)
    if (refusal !== undefined) {
      if (this.#fails('refused write carried out')) this.#carryOut(action)
      return { is: 'refused', because: refusal }
    }
    if (this.#fails('revision goes back')) this.revision -= 3
    const sight = this.#carryOut(action)
    if (this.#fails('write carried out twice')) this.#carryOut(action)
    return action.do === 'delete' ? { is: 'done', uid: sight.uid } : { is: 'done', sight }
  }

  #refusalOf(action: Write): Refusal | undefined {
    const now = this.#objects.get(action.name)
    if (action.do === 'create') return now === undefined ? undefined : 'present'
    if (now === undefined) return 'absent'
    const isOther = action.expected !== undefined && action.expected !== now.revision
    const isOtherUid = action.do === 'delete' && action.expectedUid !== undefined && action.expectedUid !== now.uid
    if (isOther && this.#fault === 'lost update') return undefined
    return isOther || isOtherUid ? 'conflict' : undefined
  }

  #carryOut(action: Write): Sight {
    const before = this.#objects.get(action.name)
    if (!this.#fails('revision used twice')) this.revision += 1
    const { revision } = this
    if (action.do === 'delete') return this.#end(action.name, before)
    const data = action.do === 'merge' ? { ...before?.data, ...action.data } : action.data
    const sight = { name: action.name, uid: before?.uid ?? this.#nextUid(), revision, data }
    if (!this.#fails('lost write')) this.#put(before === undefined ? 'ADDED' : 'MODIFIED', sight)
    return sight
  }

  #end(name: string, before: Sight | undefined): Sight {
    const sight = { ...(before ?? { name, uid: '', data: {} }), revision: this.revision }
    if (before === undefined || this.#fails('lost deletion')) return sight
    this.#objects.delete(name)
    this.#keep()
    this.log.push({ type: 'DELETED', sight })
    if (this.#fails('resurrected object')) this.#objects.set(name, before)
    return sight
  }

  #put(type: EventType, sight: Sight): void {
    this.#objects.set(sight.name, sight)
    this.#keep()
    this.log.push({ type, sight })
  }

  #keep(): void {
    this.#past.push({ revision: this.revision, objects: new Map(this.#objects) })
  }

  #nextUid(): string {
    this.#uids += 1
    return `uid-${this.#uids}`
  }

  #fails(fault: StoreFault): boolean {
    return this.#fault === fault && this.#chance.next() < faultRate
  }
}

/** The answer as a caller gets it. */
export function outcomeOf(answer: Answer, endedAt: number): Outcome {
  return { ...answer, endedAt }
}

export function dataOf(worker: string, id: string): Data {
  return { [worker]: id, last: id }
}
