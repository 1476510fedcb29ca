import type { Duplex } from 'node:stream'
import { carry } from './carry.ts'
import { giveUp } from './give-up.ts'

/** How long the receiver of the last bytes may take before its connection goes. */
const lingerMs = 1_000

/** Bytes both ways, with the pace of the slower side. When one side is over the other one gets what is left, and ends. */
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
