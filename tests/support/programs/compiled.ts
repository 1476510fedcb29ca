import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

export interface CompiledModule {
  /** The JavaScript of the entry, with all its imports of ours. */
  readonly file: string
  remove(): Promise<void>
}

/** Compiles a TypeScript file of this repository, for tests that need it in a separate process. */
export async function compiled(entry: string): Promise<CompiledModule> {
  const cache = join(repository, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'compiled-'))
  return {
    file: await bundle(join(repository, entry), directory),
    remove: () => rm(directory, { recursive: true }),
  }
}
