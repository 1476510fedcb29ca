import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const repository = fileURLToPath(new URL('../../', import.meta.url))

export interface CompiledModule {
  /** The JavaScript of the entry, with everything it imports beside it. */
  readonly file: string
  remove(): Promise<void>
}

/** Compiles a TypeScript file of this repository, for tests that need it in a process of its own. */
export async function compiled(entry: string): Promise<CompiledModule> {
  const cache = join(repository, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'compiled-'))
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['--ignoreConfig', '--rootDir', repository, '--outDir', directory, '--target', 'es2023']
  options.push('--module', 'nodenext', '--types', 'node', '--skipLibCheck', '--rewriteRelativeImportExtensions')
  await promisify(execFile)(process.execPath, [compiler, ...options, join(repository, entry)], { cwd: repository })
  return {
    file: join(directory, entry.replace(/\.ts$/, '.js')),
    remove: () => rm(directory, { recursive: true }),
  }
}
