import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicClock } from './clock.ts'
import { Rotation } from './rotation.ts'
import { whenSettled } from './when-settled.ts'

/** What all long work together gets of one turn of the event loop, before the last of it has begun. */
const msPerTurn = 5

const waiting = new Rotation<() => void, unknown>()
let isScheduled = false
let endsMs = 0
/** Of those that wait, as many may still go on in this turn. What comes to wait meanwhile has had its share. */
let left = 0

/** Of all that belongs to no caller. */
const common = {}

/**
 * Resolves in a later turn of the event loop: when it is the party's turn, those of it that came before have gone on, and there is time left. The parties
 * take turns: one that has much under way delays itself.
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

/** How long one takes shows when all that it has promised is done. */
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
