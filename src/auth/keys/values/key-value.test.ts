import { describe, expect, it } from 'vitest'
import { type Random, systemRandom } from '../../../base/random.ts'
import { holdsKey, withoutKeys } from '../redact.ts'
import { base62 } from './base62.ts'
import { crc32OfStart } from './crc32.ts'
import { broughtKey, hashKey, isMistyped, mintKey, validateBroughtKey } from './key-value.ts'
import { mintFamily, mintRefresh } from './refresh-value.ts'

/** Repeats the bytes in a cycle. */
function randomOf(bytes: readonly number[]): Random {
  let at = 0
  const next = () => bytes[at++ % bytes.length] ?? 0
  return { uuid: () => '', bytes: (length) => Uint8Array.from({ length }, next) }
}

describe('a minted key', () => {
  it('has a public id, 43 random characters and a checksum', () => {
    const { value, keyId, hash } = mintKey(systemRandom)
    expect(value).toMatch(/^tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(value.slice(4, 16)).toBe(keyId)
    expect(hash).toBe(hashKey(value))
    expect(hash).toHaveLength(43)
  })

  it('has a checksum over everything before it', () => {
    const { value } = mintKey(randomOf([1, 2, 3, 4, 5]))
    expect(value).toBe('tpk_123451234512_34512345123451234512345123451234512345123453LrZmr')
    expect(isMistyped(value)).toBe(false)
  })

  it('takes only bytes that favor no character', () => {
    expect(mintKey(randomOf([255, 61, 248, 247])).value.slice(0, 22)).toBe('tpk_zzzzzzzzzzzz_zzzzz')
  })

  it('is mistyped when any single character is changed, missing or doubled', () => {
    const { value } = mintKey(systemRandom)
    for (let at = 4; at < value.length; at++) {
      const other = value[at] === 'a' ? 'b' : 'a'
      expect(isMistyped(value.slice(0, at) + other + value.slice(at + 1))).toBe(true)
      expect(isMistyped(value.slice(0, at) + value.slice(at + 1))).toBe(true)
      expect(isMistyped(value.slice(0, at) + value[at] + value.slice(at))).toBe(true)
    }
  })

  it.each([
    ['tpk_12345-123451_', '0'.repeat(43)],
    ['tpk_123451234512-', '0'.repeat(43)],
    ['tpk_123451234512_', `${'0'.repeat(42)}\u0131`],
    ['tpk_123451234512_', '0'.repeat(44)],
  ])('is not %s%s, although the checksum would be right', (start, secret) => {
    const body = start + secret
    expect(isMistyped(body + base62(crc32OfStart(body, body.length), 6))).toBe(true)
  })

  it.each(['', 'tpk', 'eyJhbGciOi', 'TPK_x'])('is not %j, so other authenticators are asked', (token) => {
    expect(isMistyped(token)).toBe(false)
  })

  it.each(['tpk_', 'tpk_x', `tpk_${'x'.repeat(62)}`])('%s is refused without a lookup', (token) => {
    expect(isMistyped(token)).toBe(true)
  })
})

describe('a brought key', () => {
  const value = 'correct-horse-battery-staple-0123456789'

  it('gets a stable id from its hash, which contains no part of the value', () => {
    const { keyId, hash } = broughtKey(value)
    expect(keyId).toMatch(/^[0-9A-Za-z]{12}$/)
    expect(broughtKey(value).keyId).toBe(keyId)
    expect(broughtKey(`${value}!`).keyId).not.toBe(keyId)
    expect(hash).toBe(hashKey(value))
    expect(hash.includes(keyId.slice(0, 6))).toBe(false)
  })

  it('cannot choose its public id, so no key passes for another', () => {
    const minted = mintKey(systemRandom)
    expect(broughtKey(minted.value).keyId).not.toBe(minted.keyId)
  })

  it.each([
    ['x'.repeat(31), 'must have at least 32 characters'],
    ['x'.repeat(513), 'must have no more than 512 characters'],
    [`${'x'.repeat(40)} y`, 'must consist of visible ASCII characters without spaces'],
    [`${'x'.repeat(40)}\n`, 'must consist of visible ASCII characters without spaces'],
    [`${'x'.repeat(40)}é`, 'must consist of visible ASCII characters without spaces'],
    [`tpk_${'x'.repeat(40)}`, 'a key that begins with tpk_ must have the checksum of one'],
  ])('number %# is refused without being repeated', (bad, problem) => {
    const [error] = validateBroughtKey('spec.key', bad)
    expect(error).toEqual({
      reason: 'FieldValueInvalid',
      field: 'spec.key',
      message: `Invalid value: "[hidden]": ${problem}`,
    })
  })

  it.each(['x'.repeat(32), 'x'.repeat(512), value, mintKey(systemRandom).value])('number %# is accepted', (good) => {
    expect(validateBroughtKey('spec.key', good)).toEqual([])
  })
})

describe('texts that go to a log', () => {
  const { value, keyId } = mintKey(systemRandom)
  const refresh = mintRefresh(mintFamily(systemRandom), systemRandom)

  it.each([
    [`key=${value};`, `key=tpk_${keyId}_[hidden];`],
    [`${value}${value}`, `tpk_${keyId}_[hidden]`],
    [`{"a":"${value.slice(0, 40)}"}`, `{"a":"tpk_${keyId}_[hidden]"}`],
    ['tpk_tooshortforanidbutlong', 'tpk_[hidden]'],
    [`/oidc/${refresh}?x`, '/oidc/tpo_[hidden]?x'],
    [`"${refresh.slice(0, 30)}"`, '"tpo_[hidden]"'],
    [`tpo_${'a'.repeat(12)}_b-c_d`, 'tpo_[hidden]'],
    [`tpr_${'a-b_'.repeat(10)} `, 'tpr_[hidden] '],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [hidden]'],
    ['authorization: bearer abc', 'authorization: bearer [hidden]'],
    ['AUTHORIZATION: BEARER abc', 'AUTHORIZATION: BEARER [hidden]'],
    [JSON.stringify('bearer abc"def'), JSON.stringify('bearer [hidden]"def')],
    ['nothing to hide, tpk_ included', 'nothing to hide, tpk_ included'],
  ])('lose every key, number %#', (text, clean) => {
    expect(withoutKeys(text)).toBe(clean)
  })

  it('are recognized', () => {
    expect(holdsKey(`x ${value}`)).toBe(true)
    expect(holdsKey(`x ${refresh}`)).toBe(true)
    expect(holdsKey('tpk_ nothing')).toBe(false)
  })

  it('take linear time, whatever they contain', () => {
    // Quadratic time would be hours.
    const nasty = ['tpk_', 'bearer ', 'tpk_a', 'tpo_a-'].map((piece) => piece.repeat(500_000)).join('')
    expect(withoutKeys(nasty).length).toBeLessThanOrEqual(nasty.length)
  })
})
