import { humanDuration } from '../../api/human/duration.ts'

/** A smaller skew has no visible effect. */
const toleratedMs = 60_000

/** How the clocks of this machine and of the platform differ; undefined if they agree. */
export function clockSkewText(nowMs: number, serverNowMs: number): string | undefined {
  const aheadMs = nowMs - serverNowMs
  if (Math.abs(aheadMs) <= toleratedMs) return undefined
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return `the clock of this machine is ${humanDuration(Math.abs(aheadMs))} ${direction} that of the platform`
}
