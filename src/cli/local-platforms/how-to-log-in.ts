import { join } from 'node:path'
import { shellPath } from '../output/shell-word.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { localPlatforms } from './find.ts'

/** The command that logs in, ready to copy if a `tenant up` of this user runs. */
export async function howToLogIn(terminal: Pick<Terminal, 'env'>): Promise<string> {
  const [local] = await localPlatforms(terminal)
  if (local === undefined) return 'tenant platform login URL'
  const { url, directory } = local
  const [authority, key] = [join(directory, 'pki', 'ca.crt'), join(directory, 'admin.key')].map((path) =>
    shellPath(path, terminal.env.HOME),
  )
  return `tenant platform login ${url} --ca ${authority} --access-key-stdin < ${key}`
}
