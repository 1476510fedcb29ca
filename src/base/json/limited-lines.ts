import type { Duplex } from 'node:stream'
import { TokenBucket, type TokenBucketOptions } from '../token-bucket.ts'
import { asJson } from './lenient.ts'
import { isJsonObject } from './member.ts'

export interface LineLimits extends TokenBucketOptions {
  readonly longestLine: number
}

export interface LimitedLinesOptions extends LineLimits {
  readonly take: (message: Readonly<Record<string, unknown>>) => void
  /** Called once; no line is read after that. */
  readonly onExcess: (problem: string) => void
}

/** Reads lines of JSON from a stream whose sender is not trusted to send few, short or valid ones. */
export function limitedLines(stream: Duplex, options: LimitedLinesOptions): void {
  const { longestLine, take, onExcess } = options
  const bucket = new TokenBucket(options)
  let waiting = ''
  let isOver = false
  const exceed = (problem: string) => {
    isOver = true
    waiting = ''
    onExcess(problem)
  }
  const takeLine = (line: string) => {
    if (line.length > longestLine) return exceed(`a line has more than ${longestLine} characters`)
    if (!bucket.take()) return exceed('there are too many lines')
    const message = parsed(line)
    if (message === undefined) exceed('a line is no object in JSON')
    else take(message)
  }
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    if (isOver) return
    waiting += text
    for (let end = waiting.indexOf('\n'); end >= 0 && !isOver; end = waiting.indexOf('\n')) {
      const line = waiting.slice(0, end)
      waiting = waiting.slice(end + 1)
      takeLine(line)
    }
    if (!isOver && waiting.length > longestLine) exceed(`a line has more than ${longestLine} characters`)
  })
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = asJson(line)
  return isJsonObject(value) ? value : undefined
}
