import { expect, it } from 'vitest'
import { connectionFailure } from './connection-failure.ts'

function failed(code: string, message = 'as Node says it'): Error {
  return Object.assign(new Error(message), { code })
}

it.each([
  [failed('ENOTFOUND'), 'there is no host of that name (ENOTFOUND)'],
  [failed('EAI_AGAIN'), 'the name could not be looked up: is there a network? (EAI_AGAIN)'],
  [failed('EHOSTUNREACH'), 'the host cannot be reached (EHOSTUNREACH)'],
  [new AggregateError([failed('ECONNREFUSED'), failed('ENETUNREACH')]), 'nothing listens there (ECONNREFUSED)'],
  [failed('ESOMETHING'), 'as Node says it'],
  [failed('constructor'), 'as Node says it'],
  ['a text', 'a text'],
])('describes %s for users', (error, reason) => {
  expect(connectionFailure('https://p.example', error).message).toBe(`cannot reach https://p.example: ${reason}`)
})
