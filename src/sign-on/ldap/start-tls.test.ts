import { BerWriter } from 'ldapts'
import { describe, expect, it } from 'vitest'
import { isStartTlsAnswer } from './start-tls.ts'

function answer({ id = 1, tag = 0x78, code = 0 } = {}): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(tag)
  writer.writeEnumeration(code)
  writer.writeString('')
  writer.writeString('')
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

describe('the answer to StartTLS', () => {
  it('is accepted once it is complete', () => {
    expect(isStartTlsAnswer(answer())).toBe(true)
    expect(isStartTlsAnswer(answer().subarray(0, -1))).toBe(false)
    expect(isStartTlsAnswer(Buffer.alloc(0))).toBe(false)
  })

  it.each<[string, Buffer, string]>([
    [
      'is followed by plain text: response injection',
      Buffer.concat([answer(), Buffer.from([0x30])]),
      'before the connection was secure',
    ],
    [
      'is followed by an answer to a bind',
      Buffer.concat([answer(), answer({ id: 2, tag: 0x61 })]),
      'before the connection was secure',
    ],
    ['is that to another question', answer({ id: 2 }), 'something else'],
    ['is an answer to a bind', answer({ tag: 0x61 }), 'something else'],
    ['refuses: a stripped StartTLS', answer({ code: 2 }), 'refuses StartTLS (code 2)'],
    ['is endless', Buffer.from([0x30, 0x83, 0x7f, 0xff, 0xff]), 'far more'],
    ['contradicts itself', Buffer.from([0x30, 0x03, 0x02, 0x09, 0x01]), 'contradicts itself'],
  ])('is refused if it %s', (_, bytes, problem) => {
    expect(() => isStartTlsAnswer(bytes)).toThrow(problem)
  })
})
