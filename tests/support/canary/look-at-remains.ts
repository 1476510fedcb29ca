import { runFolder } from './run-folder.ts'
import type { WatchSettings } from './start-watching.ts'
import { lookAtFiles } from './watch-files.ts'
import { Watcher } from './watcher.ts'

/** Looks at all files that are there now: those that suites left, and those of what they share. */
export function lookAtRemains(settings: WatchSettings, processName: string): void {
  const { TENANT_CANARY_FOLDER, TENANT_CANARY_FILES } = settings
  const folder = runFolder(TENANT_CANARY_FOLDER)
  const watcher = new Watcher({ folder, processName, test: () => 'no test: it was left behind' })
  lookAtFiles(watcher, TENANT_CANARY_FILES, TENANT_CANARY_FILES)
  watcher.keepCounts()
}
