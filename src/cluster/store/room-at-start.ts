import { isDiskFull } from '../../base/files/disk-full.ts'

/** If a start fails because the disk is full, names the directory: the system's error names no file. */
export async function withRoomIn<T>(directory: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const text = error instanceof Error ? error.message : ''
    throw new Error(`the disk of ${directory} is full (${text}): free some space there, then start again`, {
      cause: error,
    })
  }
}
