import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 256 * 1024
const newline = 0x0a
/** Longer lines are read in pieces: the platform writes none that long. */
const longestLineBytes = 1024 * 1024

export interface ReadLine {
  /** Includes the line break, unless the file ends without one. */
  readonly bytes: Buffer
  /** Counted from 1. */
  readonly number: number
  readonly offset: number
}

/** Reads the lines of a file from its beginning. */
export async function* linesForward(file: FileHandle): AsyncGenerator<ReadLine> {
  let rest: Buffer = Buffer.alloc(0)
  let offset = 0
  let number = 1
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position)
    position += bytesRead
    const joined = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    let start = 0
    for (let end = joined.indexOf(newline); end >= 0; end = joined.indexOf(newline, start)) {
      yield { bytes: joined.subarray(start, end + 1), number: number++, offset: offset + start }
      start = end + 1
    }
    rest = joined.subarray(start)
    offset += start
    const isLast = bytesRead === 0
    if (rest.length > 0 && (isLast || rest.length > longestLineBytes)) {
      yield { bytes: rest, number, offset }
      offset += rest.length
      rest = Buffer.alloc(0)
    }
    if (isLast) return
  }
}
