import { readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { errorText } from '../../base/error-text.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isMissingFile } from '../../base/files/missing-file.ts'
import { warn } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { unwritable } from '../unwritable.ts'
import { noCredentials, type StoredLogins } from './contract.ts'
import { withLock } from './lock.ts'
import { parseCredentials, printCredentials } from './parse.ts'
import { writePrivateFile } from './private-file.ts'

/** `$TENANT_CONFIG`, or a file in the home directory. */
export function credentialsFile({ env }: Terminal): string {
  const { TENANT_CONFIG: chosen, HOME: home } = env
  return chosen ? resolve(chosen) : join(home || homedir(), '.tenant', 'config.json')
}

export async function readCredentials(terminal: Terminal): Promise<StoredLogins> {
  const file = credentialsFile(terminal)
  const text = await textOf(file)
  if (text === undefined) return noCredentials
  await warnIfOpen(file, terminal)
  try {
    return parseCredentials(text)
  } catch (error) {
    throw new Error(`cannot use ${file}: ${errorText(error)}; mend it, or move it away and log in again`)
  }
}

/** Changes the stored logins. Concurrent commands wait for each other, so that none undoes another's change. */
export async function changeCredentials(
  terminal: Terminal,
  change: (credentials: StoredLogins) => StoredLogins,
): Promise<StoredLogins> {
  const file = await targetOf(credentialsFile(terminal))
  try {
    makeDirectory(dirname(file))
    return await withLock(`${file}.lock`, async () => {
      const changed = change(await readCredentials(terminal))
      const text = printCredentials(changed)
      // Checked before writing: an invalid value from one platform must not cost the user the logins at all others.
      parseCredentials(text)
      await writePrivateFile(file, text)
      return changed
    })
  } catch (error) {
    throw unwritable(file, error, 'the environment variable TENANT_CONFIG names another file')
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw new Error(`cannot read ${file}: ${errorText(error)}`)
  }
}

async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (isMissingFile(error)) return file
    throw error
  }
}

async function warnIfOpen(file: string, terminal: Terminal): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0) warn(terminal, `${file} holds access keys and others can read it; run: chmod 600 ${file}`)
}
