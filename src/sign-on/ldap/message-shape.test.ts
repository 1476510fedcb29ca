import { describe, expect, it } from 'vitest'
import { isWellFormed, messageLength } from './message-shape.ts'

/** A tag and its parts, with correct lengths. */
function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content])
}

const octets = (text: string) => element(0x04, Buffer.from(text))
const id = element(0x02, Buffer.from([7]))
const result = [element(0x0a, Buffer.from([0])), octets(''), octets('')]
const attribute = (name: string, ...values: readonly string[]) =>
  element(0x30, octets(name), element(0x31, ...values.map(octets)))
const entry = (...attributes: readonly Buffer[]) =>
  element(0x30, id, element(0x64, octets('uid=jane'), element(0x30, ...attributes)))

const right = {
  'an answer to a bind': element(0x30, id, element(0x61, ...result)),
  'an answer to a bind, with a referral and credentials of SASL': element(
    0x30,
    id,
    element(0x61, ...result, element(0xa3, octets('ldap://other')), element(0x87, Buffer.from('x'))),
  ),
  'an entry': entry(attribute('cn', 'Jane', 'Jane Doe'), attribute('mail')),
  'an entry without attributes': entry(),
  'a reference': element(0x30, id, element(0x73, octets('ldap://other'))),
  'the end of a search, with a control': element(
    0x30,
    id,
    element(0x65, ...result),
    element(0xa0, element(0x30, octets('1.2.3'), element(0x01, Buffer.from([0])), octets('cookie'))),
  ),
}

describe('a message of a directory', () => {
  it.each(Object.entries(right))('may be %s', (_, message) => {
    expect(isWellFormed(message)).toBe(true)
    expect(messageLength(message)).toBe(message.length)
  })

  const [jane] = [right['an entry']]
  it.each<[string, Buffer]>([
    ['is not whole', jane.subarray(0, -1)],
    ['is followed by something', Buffer.concat([jane, Buffer.from([0x30])])],
    ['is empty', element(0x30)],
    ['has no operation', element(0x30, id)],
    ['has an operation that no directory sends', element(0x30, id, element(0x63, octets('')))],
    ['has an attribute instead of a list of them', element(0x30, id, element(0x64, octets(''), octets('x')))],
    ['has values that are no set', entry(element(0x30, octets('cn'), octets('Jane')))],
    ['has a value that is not a string', entry(element(0x30, octets('cn'), element(0x31, id)))],
    ['has the parts of a result in another order', element(0x30, id, element(0x61, ...[...result].reverse()))],
    ['has invalid controls', element(0x30, id, element(0x65, ...result), element(0xa0, octets('x')))],
  ])('is refused if it %s', (_, message) => {
    expect(isWellFormed(message)).toBe(false)
  })

  it('is refused if any of its lengths is too long, indefinite or negative', () => {
    const lengths = [...jane.keys()].filter((at) => jane[at] === 0x82)
    expect(lengths.length).toBeGreaterThan(5)
    for (const at of lengths) {
      for (const bytes of [[0x82, 0xff, 0xff], [0x80], [0x84, 0xff, 0xff, 0xff, 0xf0], [0x85, 0, 0, 0, 0, 1]]) {
        const changed = Buffer.concat([jane.subarray(0, at), Buffer.from(bytes), jane.subarray(at + 3)])
        expect(isWellFormed(changed)).toBe(false)
      }
    }
  })

  it('is refused if it has far too many parts', () => {
    const part = Buffer.from('300404003100', 'hex')
    const many = (count: number) => entry(...Array.from({ length: count }, () => part))
    expect(isWellFormed(many(1_500))).toBe(true)
    expect(isWellFormed(many(8_000))).toBe(false)
  })

  it('is incomplete until its length is known', () => {
    for (const begun of [[], [0x30], [0x30, 0x82], [0x30, 0x82, 1]])
      expect(messageLength(Buffer.from(begun))).toBeUndefined()
    for (const wrong of [
      [0x30, 0x80],
      [0x30, 0x85],
      [0x48, 0x54],
    ]) {
      expect(() => messageLength(Buffer.from(wrong))).toThrow('no messages of LDAP')
    }
  })
})
