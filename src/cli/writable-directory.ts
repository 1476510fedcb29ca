import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { makeDirectory } from '../base/files/make-directory.ts'
import { UsageError } from '../base/usage-error.ts'

/**
 * Creates the data directory unless it exists. Throws an Error that says what to do if this process may not write to
 * it.
 */
export async function requireWritable(directory: string): Promise<void> {
  makeNamed(directory)
  const problem = await whyUnwritable(directory)
  const help = 'in a Pod, use a volume whose storage honors fsGroup, or one that belongs to that user'
  if (problem !== undefined) throw new Error(`${problem}: ${help}`)
}

/** The same for a directory that a user of this machine has named. */
export async function requireOwnWritable(directory: string): Promise<void> {
  makeNamed(directory)
  const problem = await whyUnwritable(directory)
  if (problem !== undefined) throw new UsageError(`${problem}: choose another one with --data-dir`)
}

function makeNamed(directory: string): void {
  try {
    makeDirectory(directory)
  } catch (error) {
    const code = codeOf(error)
    const why = code === 'EEXIST' ? 'there is something else of that name' : String(code)
    throw new UsageError(
      `the data directory ${directory} cannot be created (${why}): choose another one with --data-dir`,
    )
  }
}

async function whyUnwritable(directory: string): Promise<string | undefined> {
  try {
    await access(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const user = process.getuid?.() ?? 'that it runs as'
    return `the data directory ${directory} cannot be written to by the user ${user} (${codeOf(error)})`
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
