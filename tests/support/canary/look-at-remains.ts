import { runFolder } from './run-folder.ts'
import type { WatchSettings } from './start-watching.ts'
import { lookAtFiles } from './watch-files.ts'
import { Watcher } from './watcher.ts'

/** Searches the existing files, of one folder or all: those that suites left, and those of shared servers. */
export function lookAtRemains(settings: WatchSettings, processName: string, path = settings.TENANT_CANARY_FILES): void {
  const { TENANT_CANARY_FOLDER, TENANT_CANARY_FILES } = settings
  const folder = runFolder(TENANT_CANARY_FOLDER)
  const watcher = new Watcher({ folder, processName, test: () => 'no test: it was left behind' })
  lookAtFiles(watcher, TENANT_CANARY_FILES, path)
  watcher.keepCounts()
}
