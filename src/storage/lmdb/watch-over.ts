import { isDiskFull } from '../../base/files/disk-full.ts'
import { StoreUnavailable } from '../contract.ts'
import type { StoreLock } from './lock.ts'

export interface WatchedOver {
  readonly lock: StoreLock
  /** Whether the epoch in the store is still that of this process. */
  readonly ownsEpoch: () => boolean
  /** Called at each check, for the records beside the store. */
  readonly onLook: () => void
  readonly onLost: (reason: StoreUnavailable) => void
}

const lookEveryMs = 500

/**
 * Shows others that this process is alive, and notices when another one owns the store: a process that was suspended
 * for a while, or whose volume was given to another machine, ends instead of serving outdated data. Returns a function
 * that stops the checks.
 */
export function watchOver({ lock, ownsEpoch, onLook, onLost }: WatchedOver): () => void {
  const look = () => {
    try {
      if (!lock.isHeld() || !ownsEpoch())
        return lost(new StoreUnavailable('another process has taken over the store; this one serves no more'))
      lock.beat()
      onLook()
    } catch (error) {
      // The records beside the store can wait until there is room; the store itself reports writes that fail.
      if (isDiskFull(error)) return
      lost(unusable(error))
    }
  }
  const lost = (reason: StoreUnavailable) => {
    clearInterval(timer)
    onLost(reason)
  }
  const timer = setInterval(look, lookEveryMs).unref()
  return () => clearInterval(timer)
}

export function unusable(error: unknown): StoreUnavailable {
  const why = error instanceof Error ? error.message : error
  return new StoreUnavailable(`the directory of the store cannot be used any more (${why})`)
}
