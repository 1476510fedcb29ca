import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../api/error.ts'
import { ConnectionError } from '../../../client/connection/connection-error.ts'
import { KubeconfigError } from '../../../client/kubeconfig/contract.ts'
import { type Failure, NotYet, pauseAfter, ReadAgain, SyncTrouble, syncFailureOf } from './failure.ts'

function refusal(code: number, retryAfterSeconds?: number): ApiError {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'no',
    reason: 'Any',
    code,
    ...details,
  })
}

const trouble = { reason: 'Any', message: 'because' }

describe('the meaning of a failure for an object', () => {
  it.each<readonly [string, unknown, Failure['type']]>([
    ['another client wrote in between', refusal(409), 'conflict'],
    ['the object was deleted meanwhile', refusal(404), 'conflict'],
    ['the cached state is outdated', new ReadAgain('again'), 'conflict'],
    ['the server is busy', refusal(429), 'unreachable'],
    ['the server is away', refusal(503), 'unreachable'],
    ['the server does not answer', new ConnectionError('refused'), 'unreachable'],
    ['the credentials cannot be read', new KubeconfigError('plugin /opt/secret-tool said: token'), 'unreachable'],
    ['a dependency is missing', new NotYet(trouble), 'not yet'],
    ['the write is refused', refusal(403), 'trouble'],
    ['the object is invalid there', refusal(422), 'trouble'],
    ['its owner should know', new SyncTrouble(trouble), 'trouble'],
    ['something is wrong here', new Error('bug'), 'trouble'],
  ])('%s', (_, error, type) => {
    expect(syncFailureOf(error).type).toBe(type)
  })

  it('does not reveal how credentials are obtained', () => {
    expect(JSON.stringify(syncFailureOf(new KubeconfigError('plugin /opt/secret-tool said: token')))).not.toContain(
      'plugin',
    )
  })
})

describe('the pause after a failure', () => {
  const longest = { uuid: () => '', bytes: () => Uint8Array.of(255, 255) }

  it('grows up to its own limit', () => {
    const pauses = (error: unknown) => [1, 2, 3, 100].map((attempt) => pauseAfter(error, attempt, longest))
    expect(pauses(refusal(409))).toEqual([5, 10, 20, 5_000])
    expect(pauses(refusal(503))).toEqual([200, 400, 800, 5_000])
    expect(pauses(refusal(403))).toEqual([1_000, 2_000, 4_000, 60_000])
  })

  it('is at least what the server asks for, and no longer than a minute', () => {
    expect(pauseAfter(refusal(429, 30), 1, longest)).toBe(30_000)
    expect(pauseAfter(refusal(429, 1), 10, longest)).toBe(5_000)
    expect(pauseAfter(refusal(503, 86_400), 1, longest)).toBe(60_000)
  })
})
