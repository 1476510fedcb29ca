import { describe, expect, it } from 'vitest'
import { saysGone } from './says-gone.ts'
import { refusalIn } from './status.ts'

const refusal = (code: number, details: object) =>
  refusalIn({ kind: 'Status', status: 'Failure', reason: 'Any', message: 'no', details }, code)

describe('the deletion of an object', () => {
  it.each([
    ['is said by a 404 that names it', refusal(404, { name: 'web', kind: 'configmaps' }), true],
    ['is not said by a 404 of something else', refusal(404, { name: 'other' }), false],
    ['is not said by a 404 that names nothing', refusal(404, {}), false],
    ['is not said by another refusal', refusal(409, { name: 'web' }), false],
    ['is not said by any other error', new Error('not found'), false],
  ])('%s', (_, error, expected) => {
    expect(saysGone(error, { name: 'web' })).toBe(expected)
  })
})
