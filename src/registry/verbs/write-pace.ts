import { Pace } from '../../base/pace.ts'
import type { WriteRequest } from '../contract.ts'

/** Some steps walk the whole of a large object and take as long themselves. */
const msPerTurn = 5

/** A write rests as part of its caller's work: a caller that writes many large objects delays only its own writes. */
export function writePace({ user }: Pick<WriteRequest, 'user'>): Pace {
  return new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY, msPerTurn, party: user.name })
}
