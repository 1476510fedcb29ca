import type { Duplex } from 'node:stream'
import { isJsonObject } from './member.ts'

const longestLine = 16 * 1024

/** Lines of JSON on a stream. Whoever sends something else, or a line without end, loses the stream. */
export function onLines(stream: Duplex, take: (message: Readonly<Record<string, unknown>>) => void): void {
  let waiting = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (waiting + text).split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      const message = parsed(line)
      if (message === undefined) stream.destroy()
      else take(message)
    }
    if (waiting.length > longestLine) stream.destroy()
  })
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
