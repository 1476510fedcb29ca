import { ConnectionError } from './connection/connection-error.ts'

/** The text of an answer that is read as it comes. */
export async function answerText(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const all: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    all.push(chunk)
  }
  return Buffer.concat(all).toString('utf8')
}

export function tooLarge(maxBytes: number): ConnectionError {
  return new ConnectionError(`the answer is larger than ${maxBytes} bytes`)
}
