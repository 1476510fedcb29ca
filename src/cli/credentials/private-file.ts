import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Whole or not at all, and readable by its owner alone at any moment: the text is written to a file that is private from
 * its beginning, and takes the place of the old one in one step.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const drafts = await mkdtemp(join(dirname(file), '.draft-'))
  try {
    const draft = join(drafts, 'draft')
    await writePrivate(draft, text)
    await rename(draft, file)
  } finally {
    await rm(drafts, { recursive: true, force: true })
  }
}

async function writePrivate(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
