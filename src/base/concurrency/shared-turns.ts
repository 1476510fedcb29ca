import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicClock } from '../clock.ts'
import { Rotation } from './rotation.ts'
import { whenSettled } from './when-settled.ts'

/** The time that all long work together gets in one turn of the event loop, before its last task begins. */
const msPerTurn = 5

const waiting = new Rotation<() => void, unknown>()
let isScheduled = false
let endsMs = 0
/** How many of the waiting tasks may still run in this turn. Tasks that queue up meanwhile have had their share of it. */
let left = 0

/** The party of all work that belongs to no caller. */
const common = {}

/**
 * Resolves in a later turn of the event loop: when it is the party's turn, its earlier tasks have resumed, and time is
 * left. Parties take turns, so one with many tasks delays only itself.
 */
export function shareOfTurn(party: unknown = common): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(party, resolve)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  void nextTurn().then(beginTurn)
}

function beginTurn(): void {
  endsMs = monotonicClock.now() + msPerTurn
  left = waiting.size
  goOn()
}

/** A task's duration is known only when all promises that it resolved have settled. */
function goOn(): void {
  left -= 1
  waiting.take()?.()
  whenSettled(afterOne)
}

function afterOne(): void {
  if (left > 0 && monotonicClock.now() < endsMs) {
    goOn()
    return
  }
  isScheduled = false
  if (waiting.size > 0) schedule()
}
