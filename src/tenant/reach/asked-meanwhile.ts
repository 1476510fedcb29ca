import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { ReachedPod } from './reached-pod.ts'

/**
 * Reading changes nothing, so that the host is asked for both at once. Of another Pod than the right one nothing is told, and the
 * request is given up: its client is answered then, and would wait for it no more.
 */
export async function askedMeanwhile(
  { confirm }: Pick<ReachedPod, 'confirm'>,
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
