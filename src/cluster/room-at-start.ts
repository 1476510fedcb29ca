import { isDiskFull } from '../base/disk-full.ts'

/** A start that fails for want of room says whose: an error of the system names no file. */
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
