import { monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ElectionOptions, ElectionTimes, Term } from '../../client/lease/contract.ts'
import { runElection } from '../../client/lease/election.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller } from '../../registry/controllers/controller.ts'
import { ownLeases } from './lease-client.ts'

/** Whether this replica is the one that writes. */
export type MayWrite = () => boolean

/** Thrown by a write after the end of a term. */
export class NotLeading extends Error {
  constructor() {
    super('This replica no longer leads; the one that does will reconcile it.')
  }
}

export interface LeadingOptions {
  readonly leases: ResourceContext
  /** The name of the lease, in kube-system. */
  readonly name: string
  readonly log: Log
  readonly times?: ElectionTimes | undefined
  readonly start: (mayWrite: MayWrite) => Controller
}

/** Runs controllers on one replica at a time. A sole replica starts them immediately. */
export function whileLeading({ leases, name, log, times, start }: LeadingOptions): Controller {
  const { store, clock, random, metrics } = leases.engine
  if (store.soleWriter) return start(() => true)
  const stopped = new AbortController()
  const lead = async (term: Term): Promise<void> => {
    const running = started(() => start(() => term.holds()), name, log)
    if (running === undefined) return
    metrics.setLeading(name, true)
    await ended(term.signal)
    metrics.setLeading(name, false)
    await running.stop()
  }
  const options: ElectionOptions = {
    client: ownLeases(leases, name),
    lease: { namespace: 'kube-system', name },
    name,
    clock,
    elapsed: monotonicClock,
    random,
    log,
    lead,
    ...(times && { times }),
  }
  metrics.setLeading(name, false)
  const election = runElection(options, stopped.signal)
  return {
    stop: async () => {
      stopped.abort()
      await election
    },
  }
}

/** Undefined if they do not start: then the lease is released, and the next attempt follows, here or elsewhere. */
function started(start: () => Controller, name: string, log: Log): Controller | undefined {
  try {
    return start()
  } catch (error) {
    log.error('the controllers did not start', { lease: name, error })
    return undefined
  }
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
