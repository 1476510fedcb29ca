import { ApiProblem } from '../api/problem.ts'

const longestLine = 8 * 1024 * 1024

/** The lines of a stream as they arrive, several at a time if available. */
export async function* lineBatches(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new ApiProblem(400, 'A change is too long to be shown.')
      if (lines.length > 0) yield lines
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
