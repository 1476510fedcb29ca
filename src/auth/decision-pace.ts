import type { UserInfo } from '../api/access.ts'
import { Pace } from '../base/pace.ts'

/** For a request that takes many decisions: each may go through a hundred thousand bindings and rules. */
export function decisionPace({ name }: Pick<UserInfo, 'name'>): Pace {
  return new Pace({ stepsPerTurn: 50, msPerTurn: 5, party: name })
}
