import type { ReserveRoom } from '../context.ts'
import type { Reservation } from './ledger.ts'

/** Reserves room by two rules. If the second refuses, the reservation of the first is released. */
export function reservingBoth(first: ReserveRoom, second: ReserveRoom | undefined): ReserveRoom {
  if (second === undefined) return first
  return async (write, request) => {
    const one = await first(write, request)
    try {
      return both(one, await second(write, request))
    } catch (error) {
      one.release()
      throw error
    }
  }
}

function both(one: Reservation, other: Reservation): Reservation {
  return {
    release: () => {
      one.release()
      other.release()
    },
    unconfirmed: () => {
      for (const each of [one, other]) {
        if (each.unconfirmed === undefined) each.release()
        else each.unconfirmed()
      }
    },
  }
}
