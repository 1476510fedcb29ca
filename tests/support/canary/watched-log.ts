import { createLog, type Log } from '../../../src/base/log.ts'
import { currentWatcher } from './current-watcher.ts'

/** A log of every level that only the canary reads. */
export function watchedLog(): Log {
  return createLog({ level: 'debug', write: (line) => currentWatcher()?.look({ at: 'log' }, line) })
}
