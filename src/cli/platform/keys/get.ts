import { listTable } from '../../output/list-table.ts'
import { print } from '../../output/print.ts'
import { printObject, qualifiedName } from '../../output/print-object.ts'
import { acceptTable, tableRows } from '../../output/server-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import { keyPath } from './key-path.ts'
import type { KeyGetOptions } from './options.ts'

export function get({ name, output, ...flags }: KeyGetOptions, terminal: Terminal): Promise<void> {
  return onPlatform(flags, terminal, async (session) => {
    const path = keyPath(session, name)
    if (output === 'table' || output === 'wide') {
      const table = await session.client.ask({ path, accept: acceptTable })
      print(terminal, listTable(tableRows(table, output)))
      return
    }
    const key = await session.client.ask({ path })
    if (output === 'name') print(terminal, `${qualifiedName(key)}\n`)
    else printObject(terminal, output, key)
  })
}
