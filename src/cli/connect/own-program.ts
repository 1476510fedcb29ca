import { realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** How another program runs this one. */
export interface OwnProgram {
  readonly command: string
  readonly args: readonly string[]
}

interface Running {
  readonly execPath: string
  readonly argv: readonly string[]
}

/** By its name if the PATH leads here, so that an update takes effect; otherwise by its location. */
export async function ownProgram(
  { execPath, argv: [, script = ''] }: Running,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): Promise<OwnProgram> {
  const here = await realpath(script)
  const named = await firstNamed(PATH.split(delimiter).filter((directory) => directory !== ''))
  return named === here ? { command: 'tenant', args: [] } : { command: execPath, args: [here] }
}

async function firstNamed(directories: readonly string[]): Promise<string | undefined> {
  for (const directory of directories) {
    const found = await realpath(join(directory, 'tenant')).catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}
