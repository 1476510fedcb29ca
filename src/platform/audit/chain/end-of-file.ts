import { open } from 'node:fs/promises'
import { ignoreMissingFile } from '../../../base/files/missing-file.ts'

/** More than twice the length of the longest line that the platform writes. */
const mostBytes = 256 * 1024

/** Empty if the file does not exist. */
export async function endOfFile(name: string): Promise<Buffer> {
  const file = await open(name).catch(ignoreMissingFile)
  if (file === undefined) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, mostBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
