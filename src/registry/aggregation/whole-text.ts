import type { Readable } from 'node:stream'

/** Throws an Error if the text is longer. */
export async function wholeText(body: Readable, signal: AbortSignal, mostBytes: number): Promise<string> {
  const cut = () => body.destroy(new Error('the answer was cut short'))
  signal.addEventListener('abort', cut, { once: true })
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  } finally {
    signal.removeEventListener('abort', cut)
    body.destroy()
  }
}
