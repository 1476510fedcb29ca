import { completeEnding } from '../../backup/backup-files.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import { type RestoredStore, restoreStore } from '../../cluster/restore/restore-store.ts'
import { readRevocations } from '../../cluster/restore/revocations.ts'
import { say, warn } from '../output/messages.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readKeyFile } from './key-file.ts'
import { revocationsOfPlatform } from './live-revocations.ts'
import type { RestoreBackupOptions } from './options.ts'
import { sourceText } from './source-text.ts'
import { requireWantedSource } from './wanted-source.ts'

export async function restoreEverything(
  options: RestoreBackupOptions & { readonly store: string },
  terminal: Terminal,
): Promise<void> {
  const { name: backup, store } = options
  const keyring = await readKeyFile(options.key, terminal)
  const listed = options.revocations === undefined ? undefined : await readInputText(options.revocations, terminal)
  const place = await openPlace(options.from, terminal.env)
  try {
    const restored = await restoreStore({
      store,
      backup,
      keyring,
      read: () => place.read(backup + completeEnding),
      requireSource: ({ source }) => requireWantedSource(backup, source, options),
      revocations: async (header) =>
        listed === undefined ? revocationsOfPlatform(header, options, terminal) : readRevocations(listed.text),
    })
    tell(restored, options, terminal)
  } finally {
    place.close()
  }
}

function tell(
  restored: RestoredStore,
  { store, name }: { readonly store: string; readonly name: string },
  terminal: Terminal,
): void {
  const { entries, disabledKeys, revocations, header } = restored
  const whose = `${sourceText(header.source)} as of ${header.createdAt}`
  const count = entries.toLocaleString('en-US')
  say(terminal, `${store} holds ${name}, the ${whose}: ${count} entries, read back and compared.`)
  if (header.source.type === 'platform') {
    tellKeys(disabledKeys, revocations, terminal)
    tellProofs(restored.withoutProof, terminal)
    if (restored.takesKeyOfServer) tellKeyOfServer(terminal)
  }
  if (restored.revision <= header.revision)
    warn(
      terminal,
      `revisions of the new store begin at ${restored.revision}, and clients have seen ${header.revision} or later ones: restart clients that watch, such as operators`,
    )
}

function tellKeys(names: readonly string[], known: RestoredStore['revocations'], terminal: Terminal): void {
  const count = names.length.toLocaleString('en-US')
  const [keys, were, are] = names.length === 1 ? ['access key', 'was', 'is'] : ['access keys', 'were', 'are']
  if (known === 'platform')
    say(terminal, `${count} ${keys} ${were} revoked or changed on the platform since, and ${are} disabled.`)
  else if (known === 'list') say(terminal, `${count} ${keys} ${are} on the list of revocations, and ${are} disabled.`)
  else tellAllDisabled(count, terminal)
}

const mostNamed = 20

function tellProofs(names: readonly string[], terminal: Terminal): void {
  if (names.length === 0) return
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  warn(terminal, `virtual clusters have no proof any more: ${names.slice(0, mostNamed).join(', ')}${more}`)
  say(terminal, 'Issue new ones: tenant platform reissue NAME --project PROJECT')
}

function tellAllDisabled(count: string, terminal: Terminal): void {
  warn(terminal, `it is unknown which access keys were revoked since the backup, so all of them are disabled: ${count}`)
  say(terminal, 'Enable those that are still good: tenant platform keys enable NAME')
}

function tellKeyOfServer(terminal: Terminal): void {
  say(
    terminal,
    "The first administrator's key is the one of the server that starts with this store, in its admin.key or",
  )
  say(
    terminal,
    'Secret. If it may have been revoked since the backup, run tenant platform admin reset before the start.',
  )
}
