import { describe, expect, it } from 'vitest'
import { readFingerprint } from './fingerprint.ts'

const hex = '0a1b'.repeat(16)
const written = `SHA256:${'0A:1B:'.repeat(16).slice(0, -1)}`

describe('a fingerprint', () => {
  it.each([
    ['plain digits', hex],
    ['digits in pairs', written.slice('SHA256:'.length)],
    ['its own written form', written],
    ['what openssl prints', `sha256=${written.slice('SHA256:'.length)}`],
    ['blanks around it', ` ${written}\n`],
  ])('is read from %s', (_, text) => {
    expect(readFingerprint(text)).toBe(written)
  })

  it.each(['', 'SHA256:', hex.slice(1), `${hex}0`, `SHA1:${hex}`, hex.replace('a', 'g')])('is not %j', (text) => {
    expect(readFingerprint(text)).toBeUndefined()
  })
})
