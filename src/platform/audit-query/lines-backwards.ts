import { type FileHandle, open } from 'node:fs/promises'

const chunkBytes = 256 * 1024
const newline = 0x0a
/** A line longer than this is no line of ours. */
const longestLineBytes = 64 * 1024

/** The lines of files, newest first: the last line of the first file comes first. Files that are missing are empty. */
export async function* linesBackwards(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const name of files) {
    const file = await open(name).catch(ignoreMissing)
    if (file === undefined) continue
    try {
      yield* linesOf(file)
    } finally {
      await file.close()
    }
  }
}

async function* linesOf(file: FileHandle): AsyncGenerator<Buffer> {
  let { size: end } = await file.stat()
  let rest = Buffer.alloc(0)
  while (end > 0) {
    const length = Math.min(chunkBytes, end)
    end -= length
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end)
    const joined = Buffer.concat([buffer, rest])
    const first = end === 0 ? 0 : joined.indexOf(newline) + 1
    yield* splitBackwards(joined.subarray(first))
    rest = joined.subarray(0, first)
    if (rest.length > longestLineBytes + chunkBytes) rest = Buffer.alloc(0)
  }
}

function* splitBackwards(text: Buffer): Generator<Buffer> {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf(newline, end - 1) + 1
    if (start < end) yield text.subarray(start, end)
    end = start - 1
  }
}

function ignoreMissing(error: Error): undefined {
  if ('code' in error && error.code === 'ENOENT') return
  throw error
}
