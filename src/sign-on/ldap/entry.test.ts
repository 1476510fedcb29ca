import { describe, expect, it } from 'vitest'
import { entryId, entryIdValue, entryText, entryTexts } from './entry.ts'

describe('an entry of a directory', () => {
  it('finds attributes in any case, and values by a part of them', () => {
    const entry = { dn: 'uid=jane', MAIL: 'jane@example.com', 'memberOf;range=0-1': ['cn=a', 'cn=b'] }
    expect(entryText(entry, 'mail')).toBe('jane@example.com')
    expect(entryTexts(entry, 'memberof')).toEqual(['cn=a', 'cn=b'])
    expect(entryText(entry, 'toString')).toBe('')
  })

  it('shows an objectGUID as Active Directory prints it, and finds the user by it again', () => {
    const bytes = Buffer.from('33221100554477668899aabbccddeeff', 'hex')
    const entry = { dn: 'cn=jane', objectGUID: bytes }
    expect(entryId(entry, 'objectGUID')).toBe('00112233-4455-6677-8899-aabbccddeeff')
    expect(entryId(entry, 'objectguid')).toBe('00112233-4455-6677-8899-aabbccddeeff')
    expect(entryIdValue('00112233-4455-6677-8899-aabbccddeeff', 'objectGUID')).toEqual(bytes)
    expect(entryIdValue('x', 'entryUUID')).toBe('x')
  })

  it.each<[string, string | string[] | Buffer]>([
    ['none', []],
    ['two', ['a', 'b']],
    ['an empty one', ''],
    ['one that is too long', 'a'.repeat(254)],
    ['bytes that are not a GUID', Buffer.from('abc')],
  ])('leads to no user if its id is %s', (_, id) => {
    expect(() => entryId({ dn: 'uid=jane', id }, 'id')).toThrow('no single, short id')
  })
})
