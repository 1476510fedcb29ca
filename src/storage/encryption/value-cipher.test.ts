import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { StoreDamaged } from '../contract.ts'
import { EncryptionKeyMissing, noEncryptionKeys } from './contract.ts'
import { printKeyLine, readEncryptionKeys } from './key-file.ts'
import { ValueCipher } from './value-cipher.ts'

const first = printKeyLine('first', randomBytes(32))
const second = printKeyLine('second', randomBytes(32))
const plain = 'identity\n'
const place = '/objects/core/secrets/default/a'
const value = Buffer.from('{"metadata":{},"data":{"password":"aHVudGVyMg=="}}')

const keysOf = (text: string) =>
  readEncryptionKeys(text, '/etc/keys', () => {
    throw new Error('no KMS here')
  })
const cipherOf = (text: string) => ValueCipher.open(keysOf(text), (key) => key.startsWith('/objects/core/secrets/'))
const withoutKeys = () => ValueCipher.open(noEncryptionKeys, () => true)

async function encrypted(text = first): Promise<Buffer> {
  return Buffer.from((await cipherOf(text)).encrypt(place, value))
}

describe('a value', () => {
  it('is readable by every process with the key, and contains no plain text', async () => {
    const stored = await encrypted()
    expect(stored.includes('hunter') || stored.includes('password') || stored.includes('aHVudGVy')).toBe(false)
    expect(await (await cipherOf(first)).decrypt(place, stored)).toEqual(value)
    expect(await (await cipherOf(second + first)).decrypt(place, stored)).toEqual(value)
  })

  it('has a different ciphertext each time', async () => {
    const cipher = await cipherOf(first)
    expect(cipher.encrypt(place, value)).not.toEqual(cipher.encrypt(place, value))
  })

  it('outside confidential places stays plain', async () => {
    const cipher = await cipherOf(first)
    const elsewhere = '/objects/core/configmaps/default/a'
    expect(cipher.encrypt(elsewhere, value)).toBe(value)
    expect(cipher.decrypt(elsewhere, value)).toBe(value)
    expect(cipher.isStale(elsewhere, value)).toBe(false)
  })

  it('may be empty', async () => {
    const cipher = await cipherOf(first)
    expect(await cipher.decrypt(place, cipher.encrypt(place, Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
  })
})

describe('an attacker with access to the store', () => {
  it('cannot swap the values of two objects', async () => {
    const stored = await encrypted()
    const cipher = await cipherOf(first)
    expect(() => cipher.decrypt('/objects/core/secrets/default/b', stored)).toThrow(StoreDamaged)
    expect(() => cipher.decrypt(`${place}x`, stored)).toThrow('was not encrypted for that key')
  })

  it('cannot change or truncate a value', async () => {
    const stored = await encrypted()
    const cipher = await cipherOf(first)
    const markEnd = stored.indexOf('v1:') + 3
    for (let at = markEnd; at < stored.length; at++) {
      const changed = Buffer.from(stored)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => cipher.decrypt(place, changed), `byte ${at}`).toThrow()
      expect(() => cipher.decrypt(place, stored.subarray(0, at)), `cut at ${at}`).toThrow()
    }
  })

  it('cannot insert a value', async () => {
    const cipher = await cipherOf(first)
    expect(() => cipher.decrypt(place, value)).toThrow('add a line with the word identity')
    const own = await encrypted(printKeyLine('first', randomBytes(32)))
    expect(() => cipher.decrypt(place, own)).toThrow(EncryptionKeyMissing)
  })
})

describe('a key', () => {
  it('that is missing is named, without its value', async () => {
    const stored = await encrypted()
    const cipher = await cipherOf(second)
    expect(() => cipher.decrypt(place, stored)).toThrow(
      /encrypted with the key first, which the file \/etc\/keys does not hold/,
    )
    expect(() => cipher.decrypt(place, stored)).toThrow(EncryptionKeyMissing)
  })

  it('that differs under the same name is detected', async () => {
    const stored = await encrypted()
    const cipher = await cipherOf(printKeyLine('first', randomBytes(32)))
    expect(() => cipher.decrypt(place, stored)).toThrow('is not the one of that name')
  })

  it('is required to read an encrypted value', async () => {
    const stored = await encrypted()
    const cipher = await withoutKeys()
    expect(() => cipher.decrypt(place, stored)).toThrow('--encryption-keys')
    expect(cipher.decrypt(place, value)).toBe(value)
    expect(cipher.encrypt(place, value)).toBe(value)
  })

  it('may be replaced while values are written', async () => {
    const cipher = await cipherOf(first)
    const old = cipher.encrypt(place, value)
    expect(cipher.isStale(place, old)).toBe(false)
    await cipher.use(keysOf(second + first))
    expect(cipher.isStale(place, old)).toBe(true)
    expect(await cipher.decrypt(place, old)).toEqual(value)
    const renewed = cipher.encrypt(place, value)
    expect(cipher.isStale(place, renewed)).toBe(false)
    await cipher.use(keysOf(second))
    expect(await cipher.decrypt(place, renewed)).toEqual(value)
  })

  it.each([
    ['from plain to encrypted', '', first + plain],
    ['from encrypted to plain', first, plain + first],
  ])('%s: old values are readable, and due to be rewritten', async (_way, before, after) => {
    const stored = Buffer.from((before === '' ? await withoutKeys() : await cipherOf(before)).encrypt(place, value))
    const cipher = await cipherOf(after)
    expect(cipher.isStale(place, stored)).toBe(true)
    expect(await cipher.decrypt(place, stored)).toEqual(value)
    const next = cipher.encrypt(place, value)
    expect(cipher.isStale(place, next)).toBe(false)
    expect(Buffer.from(next).equals(value)).toBe(before !== '')
  })
})

describe('a key file', () => {
  const key = randomBytes(32).toString('base64')

  it('writes with the first key, and reads with all of them', () => {
    const { writing, reading, allowsPlain } = keysOf(`# keys\n\n${second}${first}  # the one before\n`)
    expect(writing?.name).toBe('second')
    expect(reading.map(({ name }) => name)).toEqual(['second', 'first'])
    expect(allowsPlain).toBe(false)
    expect(keysOf(plain + first)).toMatchObject({ allowsPlain: true, reading: [{ name: 'first' }] })
    expect(keysOf(plain + first).writing).toBeUndefined()
  })

  it.each([
    ['', 'holds no key'],
    ['identity\n', 'holds no key'],
    [key, 'line 1: write a name and a key'],
    [`a ${key} more`, 'line 1: write a name and a key'],
    [`\nUpper ${key}`, 'line 2: the name of a key'],
    [`a#b ${key}`, 'line 1: the name of a key'],
    [`identity ${key}`, 'line 1: the name of a key'],
    ['a c2hvcnQ=', 'is not 32 bytes in base64'],
    ['a http://127.0.0.1:8080', 'or name a KMS plugin by its socket, unix:///PATH'],
    [`a ${key.slice(0, -1)}`, 'is not 32 bytes in base64'],
    [`a ${key}\na ${key}`, 'two keys named a'],
    [Array.from({ length: 101 }, (_, index) => `k${index} ${key}`).join('\n'), 'more than 100 keys'],
  ])('refuses %j', (text, message) => {
    expect(() => keysOf(text)).toThrow(message)
  })

  it('shows no key in an error', () => {
    for (const text of [key, `a ${key} more`, `Upper ${key}`, `a ${key}x`, `a ${key}\na ${key}`]) {
      expect(() => keysOf(text)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining(key.slice(0, 8)) }),
      )
    }
  })
})
