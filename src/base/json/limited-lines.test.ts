import { duplexPair } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { limitedLines } from './limited-lines.ts'

function listening(limits: Partial<{ burst: number; perSecond: number; longestLine: number }> = {}) {
  const [near, far] = duplexPair()
  const taken: unknown[] = []
  const problems: string[] = []
  limitedLines(near, {
    burst: 3,
    perSecond: 1,
    longestLine: 40,
    now: () => 0,
    ...limits,
    take: (message) => taken.push(message.n),
    onExcess: (problem) => problems.push(problem),
  })
  return { taken, problems, send: (text: string) => new Promise((sent) => far.write(text, sent)) }
}

const line = (n: number) => `${JSON.stringify({ n })}\n`

describe('lines from an untrusted sender', () => {
  it('are read one by one, however they are split', async () => {
    const { send, taken, problems } = listening()
    for (const piece of [`${line(1)}{"n"`, ':2}', `\n${line(3)}`]) await send(piece)
    await expect.poll(() => taken).toEqual([1, 2, 3])
    expect(problems).toEqual([])
  })

  it.each([
    ['too many of them', line(1).repeat(5), 'there are too many lines', 3],
    [
      'one that is too long',
      `${line(1)}{"n":"${'x'.repeat(50)}"}\n${line(2)}`,
      'a line has more than 40 characters',
      1,
    ],
    ['one without an end', 'x'.repeat(41), 'a line has more than 40 characters', 0],
    ['one that is not JSON', `${line(1)}nonsense\n${line(2)}`, 'a line is no object in JSON', 1],
    ['one that is not an object', '[1]\n', 'a line is no object in JSON', 0],
  ])('end after %s, and nothing more is read', async (_, text, problem, before) => {
    const { send, taken, problems } = listening()
    await send(text)
    await expect.poll(() => problems).toEqual([problem])
    await send(line(9))
    expect(taken).toHaveLength(before)
    expect(problems).toHaveLength(1)
  })
})
