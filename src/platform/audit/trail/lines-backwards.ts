import { type FileHandle, open } from 'node:fs/promises'
import { ignoreMissingFile } from '../../../base/files/missing-file.ts'

const chunkBytes = 256 * 1024
const newline = 0x0a
/** The platform writes no line longer than this. */
const longestLineBytes = 64 * 1024

/** The start of a line. `file` is the inode number, so it survives a rename. */
export interface AuditLinePosition {
  readonly file: string
  readonly offset: number
}

export interface PlacedLine {
  readonly line: Buffer
  readonly position: AuditLinePosition
}

/**
 * Yields the lines of the files, newest first, beginning with the last line of the first file. Missing files count as
 * empty. With `before`, only older lines; none if its file was deleted, because all older files were deleted with it.
 */
export async function* linesBackwards(
  files: readonly string[],
  before?: AuditLinePosition,
): AsyncGenerator<PlacedLine> {
  let isReached = before === undefined
  for (const name of files) {
    const file = await open(name).catch(ignoreMissingFile)
    if (file === undefined) continue
    try {
      const { ino, size } = await file.stat({ bigint: true })
      const isHere = before?.file === String(ino)
      isReached ||= isHere
      if (isReached) yield* linesOf(file, String(ino), isHere ? Math.min(before.offset, Number(size)) : Number(size))
    } finally {
      await file.close()
    }
  }
}

async function* linesOf(file: FileHandle, id: string, size: number): AsyncGenerator<PlacedLine> {
  let end = size
  let rest = Buffer.alloc(0)
  while (end > 0) {
    const length = Math.min(chunkBytes, end)
    end -= length
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end)
    const joined = Buffer.concat([buffer, rest])
    const first = end === 0 ? 0 : joined.indexOf(newline) + 1
    for (const { line, start } of splitBackwards(joined.subarray(first))) {
      yield { line, position: { file: id, offset: end + first + start } }
    }
    rest = joined.subarray(0, first)
    if (rest.length > longestLineBytes + chunkBytes) rest = Buffer.alloc(0)
  }
}

function* splitBackwards(text: Buffer): Generator<{ readonly line: Buffer; readonly start: number }> {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf(newline, end - 1) + 1
    if (start < end) yield { line: text.subarray(start, end), start }
    end = start - 1
  }
}
