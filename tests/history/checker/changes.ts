import {
  type Call,
  eventsOf,
  type Follow,
  type History,
  type List,
  print,
  type Sight,
  sameData,
  type Violation,
} from './history.ts'

/** A new state of an object, or its end. The `sight` of an end is the last state of the object. */
export interface Change {
  readonly revision: number
  readonly is: 'state' | 'end'
  readonly sight: Sight
}

/** Every change that any answer revealed, by object and in the order of revisions. */
export interface Changes {
  readonly byName: ReadonlyMap<string, readonly Change[]>
  readonly violations: readonly Violation[]
}

interface Told {
  readonly change: Change
  readonly where: string
}

export function changesOf(history: History): Changes {
  const byRevision = new Map<number, Told>()
  const violations: Violation[] = []
  for (const told of everythingTold(history)) {
    const known = byRevision.get(told.change.revision)
    if (known === undefined) byRevision.set(told.change.revision, told)
    else if (!isSame(known.change, told.change)) violations.push(usedTwice(known, told))
  }
  const inOrder = [...byRevision.values()].map(({ change }) => change).sort((a, b) => a.revision - b.revision)
  return { byName: groupedByName(inOrder), violations }
}

function groupedByName(changes: readonly Change[]): Map<string, readonly Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.sight.name)
    if (group === undefined) groups.set(change.sight.name, [change])
    else group.push(change)
  }
  return groups
}

function* everythingTold({ calls, lists, follows }: History): Generator<Told> {
  for (const call of calls) yield* toldByCall(call)
  for (const list of lists) yield* toldByList(list)
  for (const follow of follows) yield* toldByFollow(follow)
}

function* toldByCall({ id, outcome }: Call): Generator<Told> {
  if (outcome.is === 'done' && outcome.sight !== undefined) yield { change: stateOf(outcome.sight), where: id }
}

function* toldByList({ id, pages }: List): Generator<Told> {
  for (const { items } of pages) for (const item of items) yield { change: stateOf(item), where: id }
}

function* toldByFollow(follow: Follow): Generator<Told> {
  for (const { type, sight } of eventsOf(follow)) {
    const is = type === 'DELETED' ? 'end' : 'state'
    yield { change: { revision: sight.revision, is, sight }, where: follow.id }
  }
}

function stateOf(sight: Sight): Change {
  return { revision: sight.revision, is: 'state', sight }
}

function isSame(left: Change, right: Change): boolean {
  const { name, uid, data } = left.sight
  return (
    left.is === right.is && name === right.sight.name && uid === right.sight.uid && sameData(data, right.sight.data)
  )
}

function usedTwice(known: Told, told: Told): Violation {
  const text = `${known.where} shows ${print(known.change)}, ${told.where} shows ${print(told.change)}`
  return { rule: 'a revision is one change', text }
}
