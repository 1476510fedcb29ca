import { mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { errorText } from '../../base/error-text.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isMissingFile } from '../../base/files/missing-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { unwritable } from '../unwritable.ts'

/** The file that kubectl would write to: the first existing one of those it reads, otherwise the first. */
export async function kubeconfigFile(named: string | undefined, { env }: Terminal): Promise<string> {
  if (named !== undefined) return resolve(named)
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '')
  const candidates = listed.length > 0 ? listed : [join(env.HOME || homedir(), '.kube', 'config')]
  for (const file of candidates) if ((await fileText(file)) !== undefined) return resolve(file)
  return resolve(candidates[0] ?? '')
}

/** Changes a kubeconfig atomically: a concurrent reader sees the old or the new file. A symbolic link stays a link. */
export async function editKubeconfig(file: string, edit: (text: string) => string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const text = edited(file, (await fileText(target)) ?? '', edit)
  try {
    makeDirectory(dirname(target))
    await replace(target, text)
  } catch (error) {
    throw unwritable(target, error, 'name another kubeconfig with --kubeconfig')
  }
}

async function replace(target: string, text: string): Promise<void> {
  const drafts = await mkdtemp(join(dirname(target), '.tenant-'))
  try {
    const draft = join(drafts, 'config')
    await writeFile(draft, text, { mode: 0o600, flush: true })
    await rename(draft, target)
  } finally {
    await rm(drafts, { recursive: true, force: true })
  }
}

export async function fileText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw new Error(`cannot read ${file}: ${errorText(error)}`)
  }
}

function edited(file: string, text: string, edit: (text: string) => string): string {
  try {
    return edit(text)
  } catch (error) {
    throw new Error(`cannot change ${file}: ${errorText(error)}`)
  }
}
