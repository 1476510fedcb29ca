import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const runName = /^tenant-tests-(\d+)$/

/** Deletes the files of killed runs, beside the home of this one: they may be in memory. */
export function removeStaleRuns(home: string): void {
  const parent = dirname(home)
  for (const name of readdirSync(parent)) {
    const processId = runName.exec(name)?.[1]
    if (processId !== undefined && !isRunning(Number(processId))) removeRun(join(parent, name))
  }
}

/** A process that is still ending may write at the same time. The next run deletes the rest. */
export function removeRun(home: string): void {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  } catch {}
}

/** A process of another user counts as running too. */
function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
