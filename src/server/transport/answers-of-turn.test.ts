import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { AnswersOfTurn, type EndedAnswer } from './answers-of-turn.ts'

describe('answers of one iteration of the event loop', () => {
  const written: string[] = []
  beforeEach(() => {
    written.length = 0
  })

  const answer = (name: string, end: () => void = () => {}): EndedAnswer => ({
    end: (body) => {
      end()
      written.push(`${name}: ${body?.toString() ?? 'no body'}`)
    },
    destroy: () => written.push(`${name} is cut`),
  })

  it('are written after the last of them, in order', async () => {
    const answers = new AnswersOfTurn()
    answers.end(answer('first'), Buffer.from('a'))
    await Promise.resolve()
    answers.end(answer('second'), undefined)
    expect(written).toEqual([])
    await turnOfLoop()
    expect(written).toEqual(['first: a', 'second: no body'])
  })

  it('include none of the next iteration', async () => {
    const answers = new AnswersOfTurn()
    answers.end(
      answer('first', () => answers.end(answer('next'), undefined)),
      undefined,
    )
    await turnOfLoop()
    expect(written).toEqual(['first: no body'])
    await turnOfLoop()
    expect(written).toEqual(['first: no body', 'next: no body'])
  })

  it('are written at once, and once, on request', async () => {
    const answers = new AnswersOfTurn()
    answers.end(answer('first'), undefined)
    answers.endAll()
    expect(written).toEqual(['first: no body'])
    answers.end(answer('second'), undefined)
    await turnOfLoop()
    expect(written).toEqual(['first: no body', 'second: no body'])
  })

  it('are all written when one of them cannot be', async () => {
    const answers = new AnswersOfTurn()
    const broken = () => {
      throw new Error('It cannot be written.')
    }
    answers.end(answer('broken', broken), undefined)
    answers.end(answer('next'), undefined)
    await turnOfLoop()
    expect(written).toEqual(['broken is cut', 'next: no body'])
  })
})
