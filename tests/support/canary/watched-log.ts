import { createLog, type Log } from '../../../src/base/log.ts'
import { currentWatcher } from './current-watcher.ts'

/** A log that says everything and that nobody reads but the canary. */
export function watchedLog(): Log {
  return createLog({ level: 'debug', write: (line) => currentWatcher()?.look({ at: 'log' }, line) })
}
