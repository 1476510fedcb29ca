import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundle } from '../programs/bundle.ts'
import { lookAtRemains } from './look-at-remains.ts'
import { removeRun, removeStaleRuns } from './remove-runs.ts'
import { type Report, reportOf } from './report.ts'
import { runFolder } from './run-folder.ts'
import { settingsIn, type WatchSettings } from './start-watching.ts'

/** Prepares the search for key values for a run, and fails the run at its end if one was in a forbidden place. */
export default async function prepareCanary(project: TestProject): Promise<() => Promise<void>> {
  const settings = settingsIn(project.config.env)
  if (settings === undefined) throw new Error('the configuration of the tests does not say where the canary lives')
  const home = dirname(settings.TENANT_CANARY_FOLDER)
  removeStaleRuns(home)
  mkdirSync(settings.TENANT_CANARY_FOLDER, { recursive: true })
  mkdirSync(settings.TENANT_CANARY_FILES, { recursive: true })
  await bundle(join(import.meta.dirname, 'preload.ts'), dirname(fileURLToPath(settings.TENANT_CANARY_PRELOAD)))
  return async () => {
    try {
      lookAtRemains(settings, 'end')
      tell(reportOn(settings, await isFullRun(project)))
    } catch (error) {
      tell({ isGood: false, text: `Canary: cannot tell whether key values are safe: ${error}` })
    } finally {
      removeRun(home)
    }
  }
}

function reportOn({ TENANT_CANARY_FOLDER }: WatchSettings, isFull: boolean): Report {
  const folder = runFolder(TENANT_CANARY_FOLDER)
  return reportOf(folder.findings(), folder.counts(), isFull)
}

function tell({ isGood, text }: Report): void {
  process.stdout.write(`\n${text}\n`)
  if (!isGood) process.exitCode = 1
}

async function isFullRun(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  return project.vitest.state.getFiles().length === testFiles.length
}
