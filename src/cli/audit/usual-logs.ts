import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UsageError } from '../../base/usage-error.ts'
import { strangersFile } from '../../platform/audit/audit.ts'
import { platformDataDirectory, upDataDirectory } from '../arguments/data-directory.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * The logs of a data directory, that of strangers last; without a directory, those of the servers' default directories.
 */
export async function usualLogs(
  dataDir: string | undefined,
  { env }: Pick<Terminal, 'env'>,
): Promise<readonly string[]> {
  if (dataDir !== undefined) return withStrangers([logIn(resolve(dataDir))])
  const [served, up] = [platformDataDirectory(env), upDataDirectory(env)]
  const found = await existing([served, up].map(logIn))
  if (found.length === 1) return withStrangers(found)
  const logs = `${logIn(served)} (of tenant platform serve) ${found.length === 0 ? 'nor' : 'and'} ${logIn(up)} (of tenant up)`
  throw new UsageError(
    found.length === 0
      ? `there is neither ${logs}: name the data directory of the platform with --data-dir, or the file`
      : `there are both ${logs}: name a data directory with --data-dir, or a file`,
  )
}

async function withStrangers(logs: readonly string[]): Promise<readonly string[]> {
  return [...logs, ...(await existing(logs.map(strangersFile)))]
}

function logIn(directory: string): string {
  return join(directory, 'audit.log')
}

async function existing(files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map((file) =>
      access(file).then(
        () => [file],
        () => [],
      ),
    ),
  )
  return found.flat()
}
