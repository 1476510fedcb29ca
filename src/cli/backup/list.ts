import { type ListedBackup, listBackups } from '../../backup/backup-files.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/print-object.ts'
import { textTable } from '../output/text-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ListBackupsOptions } from './options.ts'
import { sourceText } from './source-text.ts'
import { sizeText } from './totals-text.ts'

export async function listBackupsIn({ from, output }: ListBackupsOptions, terminal: Terminal): Promise<void> {
  const place = await openPlace(from, terminal.env)
  try {
    const backups = await listBackups(place)
    switch (output) {
      case 'name':
        return print(terminal, backups.map(({ name }) => `${name}\n`).join(''))
      case 'json':
      case 'yaml':
        return printData(terminal, output, { items: backups.map(shown) })
      case 'table':
      case 'wide':
        if (backups.length === 0) return say(terminal, `No backups in ${place.address}.`)
        print(terminal, textTable([headings, ...backups.map(rowOf)]))
    }
  } finally {
    place.close()
  }
}

/** Only programs that open the backup need the salt. */
function shown(backup: ListedBackup): object {
  if (backup.state !== 'complete') return backup
  const { salt: _, name, ...header } = backup.header
  return { name, state: backup.state, bytes: backup.bytes, ...header }
}

const headings = ['NAME', 'STATE', 'OF', 'TIME', 'REVISION', 'SIZE', 'KEY', 'PROBLEM']

function rowOf(backup: ListedBackup): readonly string[] {
  const { name, state } = backup
  switch (backup.state) {
    case 'complete': {
      const { source, createdAt, revision, keyId } = backup.header
      return [name, state, sourceText(source), createdAt, String(revision), sizeText(backup.bytes), keyId, '']
    }
    case 'failed':
      return [name, state, sourceText(backup.failure.source), backup.failure.at, '-', '-', '-', backup.failure.message]
    case 'draft':
      return [name, state, '-', '-', '-', sizeText(backup.bytes), '-', 'being made, or left by a process that ended']
    case 'unreadable':
      return [name, state, '-', '-', '-', sizeText(backup.bytes), '-', backup.problem]
  }
}
