import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mintKey } from '../../../auth/keys/values/key-value.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { writeWhole } from '../../../base/files/write-whole.ts'
import { systemRandom } from '../../../base/random.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { askForReset, isResetTaken } from '../../../cluster/identity/admin-reset.ts'
import { adminKeyFile } from '../../../cluster/identity/kept-secret.ts'
import { adminRecordOf, shownOnce } from '../../../cluster/identity/server-identity.ts'
import { openStore } from '../../../cluster/store/open-store.ts'
import { type AdminRecord, replaceAdmin } from '../../../platform/identity/admin-record.ts'
import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { AdminResetOptions } from './admin-command.ts'

const serverTakesMs = 5_000

export async function adminReset({ store, dataDir }: AdminResetOptions, terminal: Terminal): Promise<void> {
  const directory = resolve(dataDir)
  requireOwner(madeByServer(directory))
  const { value } = mintKey(systemRandom)
  const record = adminRecordOf(value, adminKeyFile(directory))
  if (store === undefined || store.startsWith('file:')) await inDirectory(directory, record, value, terminal)
  else await inStore(store, directory, record, value, terminal)
}

/** Done by the server of the directory: only one process can open an embedded store. */
async function inDirectory(directory: string, record: AdminRecord, value: string, terminal: Terminal): Promise<void> {
  requirePlatform(directory)
  keep(directory, value, terminal)
  askForReset(directory, record)
  const isTaken = await isResetTaken(directory, serverTakesMs)
  say(terminal, isTaken ? 'the server has taken it: the key before is deleted' : notTaken)
}

const notTaken = 'no server has taken it yet: it counts from the next start of the platform with this data directory'

async function inStore(
  url: string,
  directory: string,
  record: AdminRecord,
  value: string,
  terminal: Terminal,
): Promise<void> {
  makeDirectory(directory)
  const store = await openStore(url)
  try {
    await replaceAdmin(store, record)
  } finally {
    await store.close()
  }
  keep(directory, value, terminal)
}

function keep(directory: string, value: string, terminal: Terminal): void {
  const file = adminKeyFile(directory)
  print(terminal, shownOnce({ file, value }))
  writeWhole(file, `${value}\n`)
}

function requirePlatform(directory: string): void {
  if (existsSync(madeByServer(directory))) return
  throw new UsageError(`${directory} is not the data directory of a platform: name it with --data-dir`)
}

function madeByServer(directory: string): string {
  return join(directory, 'pki', 'platform')
}

/** The server must be able to read what is written here: it would not start with an `admin.key` of another user. */
function requireOwner(made: string): void {
  if (process.getuid === undefined || !existsSync(made) || statSync(made).uid === process.getuid()) return
  throw new UsageError(`${made} belongs to another user: run this as the user that the platform runs as (sudo -u USER)`)
}
