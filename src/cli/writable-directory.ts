import { constants } from 'node:fs'
import { access } from 'node:fs/promises'

/** Throws an Error that says what to do if this process may not write to its data directory. One that is not there is made later. */
export async function requireWritable(directory: string): Promise<void> {
  try {
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return
    const user = process.getuid?.() ?? 'that it runs as'
    const help = 'in a Pod its volume has to be of storage that honors fsGroup, or to belong to that user'
    throw new Error(`the data directory ${directory} cannot be written to by the user ${user} (${code}): ${help}`)
  }
}
