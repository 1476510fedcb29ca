/** The requests to an API server, and its answers. Nothing here knows how servers work inside. */
export interface History {
  readonly calls: readonly Call[]
  readonly lists: readonly List[]
  readonly follows: readonly Follow[]
}

/** Milliseconds of one monotonic clock. */
export type Moment = number

/** An object as it appears in an answer. */
export interface Sight {
  readonly name: string
  readonly uid: string
  readonly revision: number
  readonly data: Data
}

/** Every write puts the id of its call into `last`, so that a state identifies its write. */
export type Data = Readonly<Record<string, string>>

/** One request for one object. */
export interface Call {
  readonly id: string
  readonly server: string
  readonly startedAt: Moment
  readonly action: Action
  readonly outcome: Outcome
}

export type Action = Write | Get

export type Write =
  | { readonly do: 'create'; readonly name: string; readonly data: Data }
  /** Without a revision: unconditional. */
  | { readonly do: 'replace'; readonly name: string; readonly data: Data; readonly expected?: number }
  | { readonly do: 'merge'; readonly name: string; readonly data: Data; readonly expected?: number }
  | { readonly do: 'delete'; readonly name: string; readonly expected?: number; readonly expectedUid?: string }

export interface Get {
  readonly do: 'get'
  readonly name: string
  readonly freshness: Freshness
}

export type Freshness =
  | { readonly state: 'latest' }
  | { readonly state: 'any' }
  | { readonly state: 'not older' | 'exact'; readonly revision: number }

export type Outcome =
  /** `sight` is absent in the answer to a deletion, which contains only the uid. */
  | { readonly is: 'done'; readonly endedAt: Moment; readonly sight?: Sight; readonly uid?: string }
  | { readonly is: 'refused'; readonly endedAt: Moment; readonly because: Refusal }
  /** No answer, or an ambiguous one: the write may take effect at any later time, or never. */
  | { readonly is: 'unknown' }

/** `unavailable` promises that nothing was done. */
export type Refusal = 'absent' | 'present' | 'conflict' | 'unavailable'

/** One list, as a whole or in pages. */
export interface List {
  readonly id: string
  readonly server: string
  readonly startedAt: Moment
  readonly freshness: Freshness
  readonly pages: readonly Page[]
  /** Whether the last page was reached. */
  readonly isWhole: boolean
}

export interface Page {
  readonly at: Moment
  readonly revision: number
  readonly items: readonly Sight[]
}

/** A watch and all its resumptions, on any servers, from one starting point. */
export interface Follow {
  readonly id: string
  readonly from: number
  readonly steps: readonly Step[]
  /** How it ended: stopped when it was complete, stopped before, or with the answer that history is gone. */
  readonly end: 'caught up' | 'behind' | 'expired'
}

export type Step =
  | { readonly is: 'resumed'; readonly at: Moment; readonly server: string }
  | { readonly is: 'event'; readonly at: Moment; readonly type: EventType; readonly sight: Sight }
  | { readonly is: 'bookmark'; readonly at: Moment; readonly revision: number }

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

export type WatchEvent = Extract<Step, { readonly is: 'event' }>

export interface Violation {
  readonly rule: Rule
  readonly text: string
}

export type Rule =
  | 'a revision is one change'
  | 'a state has one write'
  | 'a refused write has no effect'
  | 'revisions only grow'
  | 'reads are current'
  | 'calls are linearizable'
  | 'a list is one state'
  | 'a list is as fresh as asked'
  | 'events come in order and once'
  | 'events have no gap'
  | 'an event tells what happened'
  | 'a watch catches up'

export function isWrite(action: Action): action is Write {
  return action.do !== 'get'
}

export function eventsOf(follow: Follow): readonly WatchEvent[] {
  return follow.steps.filter((step) => step.is === 'event')
}

/** The highest revision up to which it has reported everything. */
export function reachedBy({ from, steps }: Follow): number {
  return Math.max(from, ...steps.map(revisionOf))
}

export function revisionOf(step: Step): number {
  if (step.is === 'resumed') return 0
  return step.is === 'event' ? step.sight.revision : step.revision
}

export function sameData(left: Data, right: Data): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

/** For reports. */
export function print(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 400)
}
