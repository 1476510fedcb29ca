import { expect, it } from 'vitest'
import { SignOnFailure } from '../failure.ts'
import { type GraphQuestion, groupsOfGraph } from './overage.ts'

async function codeOf(status: number, refusedAs: GraphQuestion['refusedAs']): Promise<string> {
  const question: GraphQuestion = { graphUrl: 'https://graph.example.com', accessToken: 'token', refusedAs }
  const asked = groupsOfGraph(async () => new Response('{}', { status }), question)
  const error: unknown = await asked.catch((reason: unknown) => reason)
  return error instanceof SignOnFailure ? error.code : 'read'
}

it.each([
  [401, 'misconfigured', 'untrusted'],
  [403, 'misconfigured', 'untrusted'],
  [404, 'misconfigured', 'untrusted'],
  [429, 'unavailable', 'unavailable'],
  [500, 'unavailable', 'unavailable'],
  [200, 'unavailable', 'unavailable'],
])('an answer of Graph with status %d is %s at a sign-in, and %s later', async (status, first, later) => {
  expect([await codeOf(status, 'misconfigured'), await codeOf(status, 'untrusted')]).toEqual([first, later])
})
