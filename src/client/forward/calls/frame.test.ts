import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader, maxFrameBytes } from './frame.ts'
import { answerHead, askHead, carriedHeaders } from './head.ts'

const head = { method: 'GET', url: '/api/ü', headers: ['accept', '*/*', 'x-name', 'Ã¼'] }

describe('frames', () => {
  const sent = Buffer.concat([
    encodeFrame('ask', 1, head, Buffer.from('body')),
    encodeFrame('cancel', 4_294_967_295),
    encodeFrame('answer', 2, { status: 200, headers: [] }),
  ])

  it.each([1, 7, 13, 14, sent.length])('come out as they went in, in chunks of %i bytes', (size) => {
    const reader = new FrameReader()
    const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) =>
      sent.subarray(index * size, (index + 1) * size),
    )
    const frames = chunks.flatMap((chunk) => reader.read(chunk))
    expect(frames.map(({ body, ...rest }) => ({ ...rest, body: body.toString() }))).toEqual([
      { type: 'ask', call: 1, head, body: 'body' },
      { type: 'cancel', call: 4_294_967_295, head: null, body: '' },
      { type: 'answer', call: 2, head: { status: 200, headers: [] }, body: '' },
    ])
  })

  it.each([
    ['shorter than its own beginning', { length: 12 }],
    ['longer than any may be', { length: maxFrameBytes + 1 }],
    ['of a type that nobody knows', { type: 9 }],
    ['with a head longer than itself', { headBytes: 1_000 }],
    ['with a head that is no JSON', { headBytes: 3 }],
  ])('%s are refused', (_, wrong: { length?: number; type?: number; headBytes?: number }) => {
    const frame = encodeFrame('ask', 1, head)
    if (wrong.length !== undefined) frame.writeUInt32BE(wrong.length, 0)
    if (wrong.type !== undefined) frame.writeUInt8(wrong.type, 4)
    if (wrong.headBytes !== undefined) frame.writeUInt32BE(wrong.headBytes, 9)
    expect(() => new FrameReader().read(frame)).toThrow()
  })
})

describe('heads', () => {
  it.each([
    ['nothing', null],
    ['no list', { status: 200, headers: {} }],
    ['a name without a value', { status: 200, headers: ['x-name'] }],
    ['a value that is no text', { status: 200, headers: ['x-name', 1] }],
    ['a line break in a value', { status: 200, headers: ['x-name', 'one\r\nset-cookie: two'] }],
    ['a line break in a name', { status: 200, headers: ['x-name: one\r\nset-cookie', 'two'] }],
    ['a name in capitals', { status: 200, headers: ['Set-Cookie', 'two'] }],
    ['a pseudo header', { status: 200, headers: [':status', '200'] }],
    ['a character beyond one byte', { status: 200, headers: ['x-name', '\u010a'] }],
  ])('with %s are taken for none', (_, wrong) => {
    expect(answerHead(wrong)).toBeUndefined()
    expect(askHead({ method: 'GET', url: '/', ...wrong })).toBeUndefined()
  })

  it('of an answer have a whole number for a status', () => {
    expect(answerHead({ status: 200.5, headers: [] })).toBeUndefined()
  })

  it.each([
    ['plain text', 'plain text'],
    ['ü', 'ü'],
    ['one\r\ntwo\0', 'one two '],
    ['\u010a', '\xc4\x8a'],
  ])('carry the value %j as %j', (text, carried) => {
    const headers = carriedHeaders(['X-Name', text])
    expect(headers).toEqual(['x-name', carried])
    expect(answerHead({ status: 200, headers })).toEqual({ status: 200, headers })
  })
})
