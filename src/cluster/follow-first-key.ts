import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { rest } from '../base/pause.ts'
import { systemRandom } from '../base/random.ts'
import type { AdminRecord } from '../platform/identity/admin-record.ts'
import { replacedAdminRecord } from '../platform/identity/replaced-admin.ts'
import { StoreUnavailable } from '../storage/contract.ts'
import type { ApiEngine } from './engine/engine-contract.ts'
import type { ServerIdentity } from './identity/server-identity.ts'

const retryMs = 500

type Engine = Pick<ApiEngine, 'settleFirstKey' | 'audit'>

export interface FollowedFirstKey {
  /** Called when another key becomes the administrator's key. */
  onReplaced(listener: () => void): void
  stop(): Promise<void>
}

/** Resolves when the administrator's key is an access key. A replacement becomes one, too. */
export async function followFirstKey(
  engine: Engine,
  identity: Pick<ServerIdentity, 'onAdminReplaced'>,
  log: Log,
): Promise<FollowedFirstKey> {
  const stop = new AbortController()
  const listeners: (() => void)[] = []
  let last: Promise<unknown> = Promise.resolve()
  identity.onAdminReplaced((record) => {
    tellReplaced(record, engine, log)
    last = last.then(async () => {
      await settled(engine, log, stop.signal)
      for (const listener of listeners) tellListener(listener, log)
    })
  })
  const first = engine.settleFirstKey()
  last = first.catch(() => {})
  const replaced = await first
  if (replaced !== undefined) tellReplaced(replaced, engine, log)
  return {
    onReplaced: (listener) => listeners.push(listener),
    stop: async () => {
      stop.abort()
      await last
    },
  }
}

/** A failure of the listener, such as a file that cannot be written, must not end the server. */
function tellListener(listener: () => void, log: Log): void {
  try {
    listener()
  } catch (error) {
    log.error("another key is the administrator's, and is not everywhere yet: restart the server", { error })
  }
}

/** Retried until it succeeds: otherwise there would be no administrator. */
async function settled(engine: Engine, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await engine.settleFirstKey()
      return
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) log.error("the administrator's key is not available yet", { error })
      await rest(retryMs, signal)
    }
  }
}

/** The change was made in the store and not by a request, so each replica records it in the audit log. */
function tellReplaced(record: AdminRecord, engine: Engine, log: Log): void {
  log.warn("another key is the administrator's from now on", { madeBy: record.madeBy })
  engine.audit(replacedAdminRecord(record, systemRandom.uuid(), systemClock.now()))
}
