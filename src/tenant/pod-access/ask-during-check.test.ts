import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { askDuringCheck } from './ask-during-check.ts'

const anotherPod = {
  confirm: async () => {
    throw new Error('another Pod')
  },
}

/** An answer with a log that may still be arriving. */
function logAnswer(): ForwardAnswer & { readonly body: PassThrough } {
  const body = new PassThrough()
  body.on('error', () => {})
  return { form: 'answer', status: 200, headers: [], body }
}

it('returns the answer of the host once the Pod is confirmed', async () => {
  const answer = logAnswer()
  const ask = async () => answer
  const confirmed = { confirm: async () => {} }
  expect(await askDuringCheck(confirmed, ask, () => expect.unreachable('it was given up'))).toBe(answer)
  expect(answer.body.destroyed).toBe(false)
})

it('gives up a request that the host has not answered when another Pod is there', async () => {
  const givenUp = new AbortController()
  const ask = () =>
    new Promise<ForwardAnswer>((_, reject) => {
      givenUp.signal.addEventListener('abort', () => reject(new Error('given up')))
    })
  await expect(askDuringCheck(anotherPod, ask, () => givenUp.abort())).rejects.toThrow('another Pod')
  expect(givenUp.signal.aborted).toBe(true)
})

it('and an answer that has arrived, unread', async () => {
  const answer = logAnswer()
  const ask = async () => answer
  await expect(askDuringCheck(anotherPod, ask, () => {})).rejects.toThrow('another Pod')
  expect(answer.body.destroyed).toBe(true)
})
