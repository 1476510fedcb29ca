import { readFile } from 'node:fs/promises'
import { KubeconfigError } from './contract.ts'
import { problem, type Section } from './section.ts'

/** A file that a field of a kubeconfig points to. */
export async function readNamedFile(section: Section, field: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw problem(section, field, `points to ${path}, which cannot be read (${error.code ?? error.message})`)
  })
}

/** Undefined if there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new KubeconfigError(`${path}: it cannot be read (${code ?? message})`)
  }
}
