import { asObjects } from '../../../base/json/lenient.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { listTable } from '../../output/list-table.ts'
import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { printData, qualifiedName, shownWithoutManagedFields } from '../../output/print-object.ts'
import { acceptTable, tableRows } from '../../output/server-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { listPages } from '../pages.ts'
import { onPlatform, type Session } from '../session.ts'
import type { KeyListOptions } from './options.ts'

export function showKeys({ output, ...flags }: KeyListOptions, terminal: Terminal): Promise<void> {
  return onPlatform(flags, terminal, async (session) => {
    if (output === 'table' || output === 'wide') return printTable(output, session, terminal)
    const items = (await listPages(session)).flatMap(({ items }) => asObjects(items))
    if (output === 'name') print(terminal, items.map((item) => `${nameOf(item, session)}\n`).join(''))
    else printData(terminal, output, listOf(items, session))
  })
}

function listOf(items: readonly JsonBody[], { apiVersion }: Session): JsonBody {
  const shown = items.map((item) => ({ apiVersion, kind: 'OwnedAccessKey', ...shownWithoutManagedFields(item) }))
  return { apiVersion, kind: 'OwnedAccessKeyList', metadata: {}, items: shown }
}

async function printTable(output: 'table' | 'wide', session: Session, terminal: Terminal): Promise<void> {
  const pages = await listPages(session, acceptTable)
  const tables = pages.map((page) => tableRows(page, output))
  const rows = tables.flatMap(([, ...body]) => body)
  if (rows.length === 0) return say(terminal, 'No access keys found.')
  print(terminal, listTable([...(tables[0]?.slice(0, 1) ?? []), ...rows]))
}

/** Items of a list may lack apiVersion and kind. */
function nameOf(item: JsonBody, { apiVersion }: Session): string {
  return qualifiedName({ ...item, apiVersion, kind: 'OwnedAccessKey' })
}
