import type { Duplex } from 'node:stream'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { carry } from './carry.ts'
import { giveUp } from './give-up.ts'

/** How long the receiver of the last bytes may take before its connection is closed. */
const lingerMs = 1_000

/** All joined connections, which together take the turns of one party. */
const joined = {}

/**
 * Copies bytes in both directions, at the pace of the slower side. When one side ends, the other gets the rest and
 * ends.
 */
export function join(left: Duplex, right: Duplex): void {
  carry(left, right)
  carry(right, left)
  endWith(left, right)
  endWith(right, left)
  endOwnSide(left)
  endOwnSide(right)
}

/** A side that ends is not left half open. Node would end it at once, and not in turns. */
function endOwnSide(side: Duplex): void {
  side.allowHalfOpen = true
  side.once('end', () => void shareOfTurn(joined).then(() => side.end()))
}

/** Stops copying at once; both sides stay open. */
export function stopJoining(left: Duplex, right: Duplex): void {
  left.removeAllListeners('data')
  right.removeAllListeners('data')
}

/** In turns: a thousand clients may close at the same moment, and each end takes a part of a millisecond. */
function endWith(gone: Duplex, other: Duplex): void {
  gone.on('error', () => {})
  gone.once('close', () => {
    void shareOfTurn(joined).then(() => {
      if (!gone.readableEnded) {
        giveUp(other)
        return
      }
      other.end()
      setTimeout(() => giveUp(other), lingerMs).unref()
    })
  })
}
