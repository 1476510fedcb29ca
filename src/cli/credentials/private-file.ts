import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Atomic, and readable only by its owner at any time: the text is written to a file that is private from the start,
 * which then replaces the old one.
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
