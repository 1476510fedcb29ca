import type { Call, Freshness, History, Sight, Violation } from './history.ts'
import { print } from './history.ts'
import type { Seen } from './seen.ts'
import type { Timeline } from './timeline.ts'

/** A GET shows a state that existed, and none that had been replaced before the requested time. */
export function checkReads(history: History, timeline: Timeline, seen: Seen): readonly Violation[] {
  return history.calls.flatMap((call) => {
    const { action, outcome } = call
    if (action.do !== 'get' || outcome.is === 'unknown') return []
    if (outcome.is === 'refused' && outcome.because !== 'absent') return []
    const sight = outcome.is === 'done' ? outcome.sight : undefined
    return isPossible(timeline, action.name, leastRevision(action.freshness, seen.before(call.startedAt)), sight)
      ? []
      : [stale(call, seen)]
  })
}

/** The oldest state that such a read may show. */
export function leastRevision(freshness: Freshness, shownBefore: number): number {
  switch (freshness.state) {
    case 'latest':
      return shownBefore
    case 'any':
      return 0
    case 'not older':
    case 'exact':
      return freshness.revision
  }
}

/** Whether the state existed at the revision or at any time after it. */
function isPossible(timeline: Timeline, name: string, least: number, sight: Sight | undefined): boolean {
  if (timeline.contradiction(name, least, sight) === undefined) return true
  const later = timeline.changesOf(name).filter(({ revision }) => revision > least)
  return later.some((change) => timeline.contradiction(name, change.revision, sight) === undefined)
}

function stale(call: Call, seen: Seen): Violation {
  const text = `${print(call)}: another state had been there, and ${seen.before(call.startedAt)} had been shown before`
  return { rule: 'reads are current', text }
}
