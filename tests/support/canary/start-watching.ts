import { syncBuiltinESMExports } from 'node:module'
import { threadId } from 'node:worker_threads'
import { setCurrentWatcher } from './current-watcher.ts'
import { runFolder } from './run-folder.ts'
import { watchFiles } from './watch-files.ts'
import { watchProcesses } from './watch-processes.ts'
import { watchServers } from './watch-servers.ts'
import { Watcher } from './watcher.ts'

/** The settings of a process that takes part, in environment variables. */
export interface WatchSettings {
  /** The folder for findings. */
  readonly TENANT_CANARY_FOLDER: string
  /** The folder for the files of suites. */
  readonly TENANT_CANARY_FILES: string
  /** The module that makes a Node process watch itself. */
  readonly TENANT_CANARY_PRELOAD: string
}

export function startWatching(settings: WatchSettings, test: () => string): Watcher {
  const folder = runFolder(settings.TENANT_CANARY_FOLDER)
  const watcher = new Watcher({ folder, processName: `${process.pid}-${threadId}`, test })
  setCurrentWatcher(watcher)
  watchServers(watcher)
  watchProcesses(watcher, () => ({
    ...settings,
    TENANT_CANARY_TEST: test(),
    NODE_OPTIONS: `--import=${settings.TENANT_CANARY_PRELOAD}`,
  }))
  watchFiles(watcher, settings.TENANT_CANARY_FILES)
  syncBuiltinESMExports()
  process.once('exit', () => watcher.keepCounts())
  return watcher
}

export function settingsIn(environment: NodeJS.ProcessEnv): WatchSettings | undefined {
  const { TENANT_CANARY_FOLDER, TENANT_CANARY_FILES, TENANT_CANARY_PRELOAD } = environment
  if (TENANT_CANARY_FOLDER === undefined || TENANT_CANARY_FILES === undefined || TENANT_CANARY_PRELOAD === undefined) {
    return undefined
  }
  return { TENANT_CANARY_FOLDER, TENANT_CANARY_FILES, TENANT_CANARY_PRELOAD }
}
