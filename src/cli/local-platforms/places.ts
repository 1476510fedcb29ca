import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { tenantHome } from '../arguments/data-directory.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Has a file for every `tenant up` of this user, which contains its data directory. */
export function placesDirectory({ env }: Pick<Terminal, 'env'>): string {
  return join(tenantHome(env), 'running')
}

export function placeFile(dataDirectory: string, terminal: Pick<Terminal, 'env'>): string {
  const id = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(placesDirectory(terminal), id)
}

/** Where a `tenant up` describes itself. */
export function descriptionFile(dataDirectory: string): string {
  return join(dataDirectory, 'up.json')
}
