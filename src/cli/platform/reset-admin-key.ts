import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemRandom } from '../../base/random.ts'
import { UsageError } from '../../base/usage-error.ts'
import { writeWhole } from '../../base/write-whole.ts'
import { adminKeyFile, newAdminToken } from '../../cluster/identity.ts'
import { openStore } from '../../cluster/open-store.ts'
import { adminRecordOf, shownOnce } from '../../cluster/server-identity.ts'
import { replaceAdmin } from '../../platform/identity/admin-record.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ResetAdminKeyOptions } from './reset-admin-key-command.ts'

export async function resetAdminKey(options: ResetAdminKeyOptions, terminal: Terminal): Promise<void> {
  const directory = resolve(options.dataDir)
  const file = adminKeyFile(directory)
  if (options.store.startsWith('file:')) throw embedded(file)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const value = newAdminToken(systemRandom)
  const store = await openStore(options.store)
  try {
    await replaceAdmin(store, adminRecordOf(value, file))
  } finally {
    await store.close()
  }
  print(terminal, shownOnce({ file, value }))
  writeWhole(file, `${value}\n`)
}

function embedded(file: string): UsageError {
  return new UsageError(
    `an embedded store has one server, whose data directory holds the key: stop it, remove ${file}, and start it again`,
  )
}
