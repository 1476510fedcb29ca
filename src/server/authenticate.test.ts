import { describe, expect, it } from 'vitest'
import { readCredential } from './authenticate.ts'

describe('the Authorization header', () => {
  it.each([
    [undefined, { form: 'none' }],
    ['', { form: 'none' }],
    ['Bearer abc', { form: 'bearer', token: 'abc' }],
    ['bearer abc', { form: 'bearer', token: 'abc' }],
    ['BEARER abc', { form: 'bearer', token: 'abc' }],
    ['Bearer  abc', { form: 'malformed' }],
    ['Bearer', { form: 'none' }],
    ['Bearer ', { form: 'none' }],
    ['Basic YTpi', { form: 'none' }],
    ['Bearerabc', { form: 'none' }],
  ])('%j is %j', (header, credential) => {
    expect(readCredential(header)).toEqual(credential)
  })
})
