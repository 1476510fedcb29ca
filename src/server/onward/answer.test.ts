import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { passedAnswer } from './answer.ts'

const pieces = 20_000

it('an answer that is read as a whole yields to the event loop, however small its pieces are', async () => {
  const body = new PassThrough({ highWaterMark: pieces })
  for (let piece = 0; piece < pieces; piece++) body.write('x')
  body.end()
  let isOver = false
  let turns = 0
  const answered = passedAnswer(
    { form: 'answer', status: 200, headers: ['content-length', String(pieces)], body },
    'GET',
    [],
  )
  const counting = async () => {
    while (!isOver) {
      turns += 1
      await nextTurn()
    }
  }
  const counted = counting()
  const { body: whole } = await answered
  isOver = true
  await counted
  expect(whole).toHaveLength(pieces)
  expect(pieces / turns).toBeLessThan(300)
})
