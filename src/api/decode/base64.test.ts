import { expect, it } from 'vitest'
import { bytesOfBase64 } from './base64.ts'

it.each(['', 'a', 'ab', 'abc', 'abcd', '\u00ff\ufffd+/'])('the bytes of %j come back', (text) => {
  const bytes = new TextEncoder().encode(text)
  expect(bytesOfBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes)
})
