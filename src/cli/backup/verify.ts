import { completeEnding } from '../../backup/backup-files.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import { verifyBackup } from '../../backup/verify-backup.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/print-object.ts'
import { textTable } from '../output/text-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readKeyFile } from './key-file.ts'
import type { VerifyBackupOptions } from './options.ts'
import { sizeText, summaryOf } from './totals-text.ts'

export async function verifyBackupIn(options: VerifyBackupOptions, terminal: Terminal): Promise<void> {
  const { name, from, output } = options
  const keyring = await readKeyFile(options.key, terminal)
  const place = await openPlace(from, terminal.env)
  try {
    const { header, totals } = await verifyBackup(name, place.read(name + completeEnding), keyring)
    if (output === 'json' || output === 'yaml') return printData(terminal, output, { ...header, ...totals })
    if (output !== 'name') {
      const rows = Object.entries(totals.kinds).map(([kind, { entries, bytes, sha256 }]) => [
        kind,
        String(entries),
        sizeText(bytes),
        sha256.slice(0, 16),
      ])
      print(terminal, textTable([['KIND', 'ENTRIES', 'SIZE', 'SHA-256'], ...rows]))
    }
    say(terminal, `${name} is whole: ${summaryOf(totals)}, as of revision ${header.revision}`)
  } finally {
    place.close()
  }
}
