import { type FileHandle, open } from 'node:fs/promises'
import { KubeconfigError } from './contract.ts'
import { problem, type Section } from './section.ts'

/** A kubeconfig of hundreds of clusters is smaller, and so is every certificate, key and token. */
const maxBytes = 4 * 1024 * 1024

/** Reads a file that a field of a kubeconfig names. */
export async function readNamedFile(section: Section, field: string, path: string): Promise<string> {
  return readText(path).catch((error: NodeJS.ErrnoException) => {
    throw problem(section, field, `points to ${path}, which cannot be read (${error.code ?? error.message})`)
  })
}

/** Undefined if the file does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readText(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new KubeconfigError(`${path}: it cannot be read (${code ?? message})`)
  }
}

async function readText(path: string): Promise<string> {
  const file = await open(path)
  try {
    return await readAll(file)
  } finally {
    await file.close()
  }
}

/** The reported size need not be true: devices have none. */
async function readAll(file: FileHandle): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(64 * 1024) })
    if (bytesRead === 0) return Buffer.concat(chunks).toString('utf8')
    bytes += bytesRead
    if (bytes > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}
