import { fraction } from '../../base/backoff.ts'
import { pause } from '../../base/pause.ts'
import type { ElectionContext, ElectionOptions } from './contract.ts'
import { LeaseHold } from './hold.ts'
import { type Acquired, LeaseSeeker } from './seek.ts'
import { electionTimes } from './times.ts'

const usualTimes = electionTimes(15)

/**
 * Takes part in an election until the signal aborts, and leads whenever it wins. The lease is released at the end.
 * Errors of the leader are rethrown; problems with the lease are logged and retried.
 */
export async function runElection(options: ElectionOptions, signal: AbortSignal): Promise<void> {
  const { times = usualTimes, name, random } = options
  const context = { ...options, times, identity: `${name}_${random.uuid()}` }
  const seeker = new LeaseSeeker(context)
  while (!signal.aborted) {
    const acquired = await acquiredBy(seeker, context, signal)
    if (acquired !== undefined) await lead(context, acquired, signal)
    await pause(times.retrySeconds * 1000 * (0.75 + fraction(random) / 2), signal).catch(() => {})
  }
}

async function acquiredBy(
  seeker: LeaseSeeker,
  { log, lease }: ElectionContext,
  signal: AbortSignal,
): Promise<Acquired | undefined> {
  try {
    return await seeker.tryOnce(signal)
  } catch (error) {
    if (!signal.aborted) log.warn('the lease could not be looked at', { lease: lease.name, error })
    return undefined
  }
}

async function lead(context: ElectionContext, acquired: Acquired, signal: AbortSignal): Promise<void> {
  const { log, lease, identity } = context
  const hold = new LeaseHold(context, acquired)
  const end = () => hold.end()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  log.info('leads', { lease: lease.name, identity })
  try {
    await context.lead(hold)
  } finally {
    log.info('no longer leads', { lease: lease.name, identity, reason: String(hold.signal.reason) })
    signal.removeEventListener('abort', end)
    await hold.giveBack()
  }
}
