import { changesOf } from './changes.ts'
import type { History, Violation } from './history.ts'
import { checkLinearizability } from './linearize.ts'
import { checkLists } from './lists.ts'
import { checkReads } from './reads.ts'
import { Seen } from './seen.ts'
import { Timeline } from './timeline.ts'
import { checkWatches } from './watches.ts'
import { checkWrites } from './writes.ts'

/** The answers in this history that no correct store of revisions could have given. */
export function check(history: History): readonly Violation[] {
  const changes = changesOf(history)
  const timeline = new Timeline(changes, history)
  const seen = new Seen(history)
  return [
    ...changes.violations,
    ...checkWrites(history, timeline, seen),
    ...checkReads(history, timeline, seen),
    ...checkLists(history, timeline, seen),
    ...checkWatches(history, timeline),
    ...checkLinearizability(history, timeline),
  ]
}
