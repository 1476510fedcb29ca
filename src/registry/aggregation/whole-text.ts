import type { Readable } from 'node:stream'
import { shapeOf } from '../../base/json/byte-scanner.ts'
import { maxDepth } from '../../base/json/limits.ts'

/** More than documents of a megabyte hold. Many more take far longer to build than the size of the text says. */
const mostValues = 200_000

/** JSON that can be parsed in a short time. Throws an Error if the text is longer, is nested too deep, or holds too much. */
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
    const whole = Buffer.concat(chunks)
    const { depth, values } = shapeOf(whole)
    if (depth > maxDepth || values > mostValues) throw new Error('the answer is nested too deep, or holds too much')
    return whole.toString()
  } finally {
    signal.removeEventListener('abort', cut)
    body.destroy()
  }
}
