import { moveStore } from '../../cluster/restore/move-store.ts'
import { say, warn } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { MigrateStoreOptions } from './options.ts'

export async function migrateStore({ from, to }: MigrateStoreOptions, terminal: Terminal): Promise<void> {
  const { entries, revision, fromRevision } = await moveStore(from, to)
  say(
    terminal,
    `${to} holds everything of ${from}: ${entries.toLocaleString('en-US')} entries, read back and compared.`,
  )
  if (revision <= fromRevision)
    warn(
      terminal,
      `revisions of the new store begin at ${revision}, and clients have seen up to ${fromRevision}: restart clients that watch, such as operators`,
    )
}
