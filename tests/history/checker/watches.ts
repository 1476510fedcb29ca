import {
  eventsOf,
  type Follow,
  type History,
  print,
  reachedBy,
  revisionOf,
  sameData,
  type Violation,
  type WatchEvent,
} from './history.ts'
import type { Timeline } from './timeline.ts'

/** Every change after the start is reported once, in order and correctly, across all resumptions. */
export function checkWatches(history: History, timeline: Timeline): readonly Violation[] {
  return history.follows.flatMap((follow) => [
    ...checkOrder(follow),
    ...checkGaps(follow, timeline),
    ...eventsOf(follow).flatMap((event) => checkEvent(follow, event, timeline)),
    ...checkEnd(follow),
  ])
}

/** Bookmarks may repeat a revision; an event is newer than all before it. */
function checkOrder({ id, from, steps }: Follow): readonly Violation[] {
  const violations: Violation[] = []
  let last = from
  for (const step of steps) {
    if (step.is === 'resumed') continue
    const revision = revisionOf(step)
    const isInOrder = step.is === 'event' ? revision > last : revision >= last
    if (!isInOrder) {
      violations.push({ rule: 'events come in order and once', text: `${id} got ${print(step)} after ${last}` })
    }
    last = Math.max(last, revision)
  }
  return violations
}

function checkGaps(follow: Follow, timeline: Timeline): readonly Violation[] {
  const told = new Set(eventsOf(follow).map(({ sight }) => sight.revision))
  const reached = reachedBy(follow)
  return [...timeline.names].flatMap((name) =>
    timeline
      .changesOf(name)
      .filter(({ revision }) => revision > follow.from && revision <= reached && !told.has(revision))
      .map((change) => {
        const text = `${follow.id} from ${follow.from} reached ${reached} and was not told of ${print(change)}`
        return { rule: 'events have no gap' as const, text }
      }),
  )
}

function checkEvent({ id, from }: Follow, event: WatchEvent, timeline: Timeline): readonly Violation[] {
  const { type, sight } = event
  const before = timeline.at(sight.name, sight.revision - 1)
  const wrong = (why: string): readonly Violation[] => [
    { rule: 'an event tells what happened', text: `${id} from ${from}: ${print(event)}: ${why}` },
  ]
  if (type === 'ADDED') {
    return before.sight === undefined || before.mayBeGone ? [] : wrong(`it was there: ${print(before.sight)}`)
  }
  if (before.sight === undefined) return wrong('it was not there')
  if (before.sight.uid !== sight.uid && !before.mayBeGone) return wrong(`it was another one: ${print(before.sight)}`)
  if (type === 'DELETED' && !sameData(before.sight.data, sight.data)) return wrong(`it was ${print(before.sight)}`)
  return []
}

function checkEnd({ id, from, end, steps }: Follow): readonly Violation[] {
  if (end !== 'behind') return []
  const last = steps.slice(-3)
  return [{ rule: 'a watch catches up', text: `${id} from ${from} did not get to the end; its last: ${print(last)}` }]
}
