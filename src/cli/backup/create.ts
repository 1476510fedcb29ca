import type { CreatedBackup } from '../../backup/create-backup.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import { systemClock } from '../../base/clock.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/print-object.ts'
import { explained } from '../platform/failure-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readKeyFile } from './key-file.ts'
import type { CreateBackupFlags } from './options.ts'
import { runBackup } from './run-backup.ts'
import { backupTarget } from './target.ts'
import { summaryOf } from './totals-text.ts'

export async function createBackupOf(options: CreateBackupFlags, terminal: Terminal): Promise<void> {
  const keyring = await readKeyFile(options.key, terminal)
  const target = await backupTarget(options, terminal)
  const place = await openPlace(options.to, terminal.env)
  try {
    const { created, removed } = await runBackup({ place, keyring, target }, options, terminal)
    tell(created, options, terminal)
    for (const name of removed) say(terminal, `removed ${name}`)
  } catch (error) {
    const context = {
      url: target.access.url.origin,
      nowMs: systemClock.now(),
      serverNowMs: undefined,
      env: terminal.env,
    }
    throw explained(error, context, '')
  } finally {
    place.close()
  }
}

function tell({ name, header, totals }: CreatedBackup, { output }: CreateBackupFlags, terminal: Terminal): void {
  if (output === 'json' || output === 'yaml') printData(terminal, output, { ...header, ...totals })
  else print(terminal, `${name}\n`)
  if (output === 'table')
    say(terminal, `complete and read back: ${summaryOf(totals)}, as of revision ${header.revision}`)
}
