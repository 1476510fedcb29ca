import type { Change } from './changes.ts'
import { type Call, type History, isWrite, print, type Violation } from './history.ts'
import type { Seen } from './seen.ts'
import type { Timeline } from './timeline.ts'

/**
 * Every state has one write, no write has two states, and a write is newer than everything that was shown before it
 * began.
 */
export function checkWrites(history: History, timeline: Timeline, seen: Seen): readonly Violation[] {
  const calls = new Map(history.calls.filter(({ action }) => isWrite(action)).map((call) => [call.id, call]))
  const stateOf = new Map<string, Change>()
  const violations: Violation[] = []
  for (const name of timeline.names) {
    violations.push(...checkEnds(history, timeline, name))
    for (const change of timeline.changesOf(name)) {
      if (change.is !== 'state') continue
      const call = calls.get(change.sight.data.last ?? '')
      if (call === undefined || call.action.name !== name) violations.push(unexplained(change))
      else violations.push(...checkState(call, change, stateOf.get(call.id), seen))
      if (call !== undefined) stateOf.set(call.id, change)
    }
  }
  return violations
}

/** No object ends more often than its deletion was requested. */
function checkEnds({ calls }: History, timeline: Timeline, name: string): readonly Violation[] {
  const ends = timeline.changesOf(name).filter(({ is }) => is === 'end').length
  const asked = calls.filter((call) => call.action.do === 'delete' && call.action.name === name)
  const deletions = asked.filter(({ outcome }) => outcome.is !== 'refused').length
  if (ends <= deletions) return []
  return [{ rule: 'a state has one write', text: `${name} ended ${ends} times by ${deletions} deletions` }]
}

function unexplained({ sight }: Change): Violation {
  return { rule: 'a state has one write', text: `no call wrote ${print(sight)}` }
}

function checkState(call: Call, change: Change, before: Change | undefined, seen: Seen): readonly Violation[] {
  const violations: Violation[] = []
  const { outcome } = call
  if (before !== undefined) {
    const text = `${print(call)} was carried out at ${before.revision} and again at ${change.revision}`
    violations.push({ rule: 'a state has one write', text })
  }
  if (outcome.is === 'refused') {
    const text = `${print(call)} was carried out at ${change.revision}`
    violations.push({ rule: 'a refused write has no effect', text })
  }
  if (outcome.is === 'done' && outcome.sight !== undefined && outcome.sight.revision !== change.revision) {
    const text = `${print(call)} was carried out at ${change.revision}`
    violations.push({ rule: 'a state has one write', text })
  }
  const shown = seen.before(call.startedAt)
  if (change.revision <= shown) {
    const text = `${print(call)} got ${change.revision}, and ${shown} had been shown before it began`
    violations.push({ rule: 'revisions only grow', text })
  }
  return violations
}
