import type { Duplex } from 'node:stream'
import { carry } from './carry.ts'
import { giveUp } from './give-up.ts'

/** How long the receiver of the last bytes may take before its connection is closed. */
const lingerMs = 1_000

/**
 * Copies bytes in both directions, at the pace of the slower side. When one side ends, the other gets the rest and
 * ends.
 */
export function join(left: Duplex, right: Duplex): void {
  carry(left, right)
  carry(right, left)
  endWith(left, right)
  endWith(right, left)
}

/** Stops copying at once; both sides stay open. */
export function stopJoining(left: Duplex, right: Duplex): void {
  left.removeAllListeners('data')
  right.removeAllListeners('data')
}

function endWith(gone: Duplex, other: Duplex): void {
  gone.on('error', () => giveUp(other))
  gone.once('close', () => {
    if (!gone.readableEnded) {
      giveUp(other)
      return
    }
    other.end()
    setTimeout(() => giveUp(other), lingerMs).unref()
  })
}
