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
