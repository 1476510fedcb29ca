import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { HostContainer } from './host-container.ts'

/**
 * Reading changes nothing, so the host is asked for both at once. If it is the wrong Pod, nothing of its answer is
 * returned, and the request is given up: its client already has an answer and no longer waits.
 */
export async function askDuringCheck(
  { confirm }: Pick<HostContainer, 'confirm'>,
  ask: () => Promise<ForwardAnswer>,
  giveUp: () => void,
): Promise<ForwardAnswer> {
  const answer = ask()
  answer.catch(() => {})
  try {
    await confirm()
  } catch (error) {
    answer.then(giveUpAnswer, () => {})
    giveUp()
    throw error
  }
  return answer
}
