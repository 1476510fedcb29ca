import { describe, expect, it } from 'vitest'
import { mintKey } from '../../../src/auth/keys/values/key-value.ts'
import { mintFamily, mintRefresh } from '../../../src/auth/keys/values/refresh-value.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { broughtValue } from './brought-value.ts'
import { keyValuesIn } from './key-values.ts'

const minted = mintKey(systemRandom)
const brought = broughtValue('x')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const seenIn = (text: string) =>
  keyValuesIn(Buffer.from(text)).map(({ origin, encoding, id }) => `${encoding} ${origin} ${id}`)

describe('the value of a key', () => {
  it.each([
    ['a value', minted.value, 'plain'],
    ['a line of JSON', JSON.stringify({ spec: { key: minted.value } }), 'plain'],
    ['a value that was cut off', `"${minted.value.slice(0, 30)}…"`, 'plain'],
    ['the data of a Secret', base64(minted.value), 'base64'],
    ['Base64 with one byte before', base64(`x${minted.value}`), 'base64'],
    ['Base64 with two bytes before', base64(`u:${minted.value}`), 'base64'],
    ['Base64 in a line', `data: ${base64(JSON.stringify({ accessKey: minted.value }))}`, 'base64'],
  ])('is recognized in %s if it was minted', (_, text, encoding) => {
    expect(seenIn(text)).toEqual([`${encoding} minted tpk_${minted.keyId}`])
  })

  it.each([
    ['a value', brought, 'plain'],
    ['Base64', base64(brought), 'base64'],
    ['Base64 with two bytes before', base64(`u:${brought}`), 'base64'],
  ])('is recognized in %s if a test provided it', (_, text, encoding) => {
    expect(seenIn(text)).toEqual([`${encoding} brought ${brought.slice(15, 25)}`])
  })

  it('is recognized in a refresh token of an application, and in a part of it', () => {
    const token = mintRefresh(mintFamily(systemRandom), systemRandom)
    expect(seenIn(`"${token}"`)).toEqual([`plain refresh ${token.slice(0, 12)}`])
    expect(seenIn(token.slice(0, 35))).toEqual([`plain refresh ${token.slice(0, 12)}`])
    expect(seenIn(base64(`u:${token}`))).toEqual([`base64 refresh ${token.slice(0, 12)}`])
    expect(seenIn('tpo_[hidden]')).toEqual([])
    expect(seenIn(`"hash":"a9tpo_${'RXwQ5fGn-'.repeat(4)}X"`)).toEqual([])
  })

  it.each([
    ['its public id', `tpk_${minted.keyId}`],
    ['a value that is hidden', `tpk_${minted.keyId}_[hidden]`],
    ['what keys look like', 'tpk_…'],
    ['its hash', minted.hash],
  ])('is not confused with %s', (_, text) => {
    expect(seenIn(text)).toEqual([])
  })
})
