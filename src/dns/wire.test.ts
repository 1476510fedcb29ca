import { decode, encode } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TcpMessages, withLength } from './tcp-messages.ts'
import { type DnsQuery, rcodes, readQuery, readReply, writeQuestion, writeReply } from './wire.ts'

const question = { name: 'web.shop.svc.cluster.local', type: 'A' }
const asked = writeQuestion(7, question)

function queryIn(bytes: Buffer): DnsQuery {
  const read = readQuery(bytes)
  if (read.outcome !== 'query') throw new Error(`It was ${read.outcome}.`)
  return read.query
}

const packetOf = (name: string, type = 'A') =>
  encode({ id: 7, type: 'query', flags: 0, questions: [{ name, type }], additionals: [] })

describe('a question on the wire', () => {
  it('is read with the limits of the client', () => {
    expect(readQuery(asked)).toEqual({
      outcome: 'query',
      query: { id: 7, question, wantsRecursion: true, hasExtension: true, datagramBytes: 1_232 },
    })
    expect(queryIn(packetOf('a.b'))).toMatchObject({ wantsRecursion: false, datagramBytes: 512, hasExtension: false })
  })

  it.each<[string, Buffer, object]>([
    ['too short', Buffer.alloc(11), { outcome: 'ignored' }],
    ['a reply', encode({ id: 7, type: 'response', flags: 0, questions: [question] }), { outcome: 'ignored' }],
    ['without a question', Buffer.alloc(12), { outcome: 'refused', rcode: rcodes.formatError }],
    ['too long', Buffer.concat([asked, Buffer.alloc(5_000)]), { outcome: 'refused', rcode: rcodes.formatError }],
    ['for whole zones', packetOf('a.b', 'AXFR'), { outcome: 'refused', rcode: rcodes.notImplemented }],
    ['for everything', packetOf('a.b', 'ANY'), { outcome: 'refused', rcode: rcodes.notImplemented }],
    ['with a name that no host has', packetOf('a\u0001.b'), { outcome: 'refused', rcode: rcodes.formatError }],
    ['with a name of another alphabet', packetOf('ä.b'), { outcome: 'refused', rcode: rcodes.formatError }],
    [
      'with answers in it',
      encode({ id: 7, type: 'query', flags: 0, questions: [question], answers: [{ ...question, data: '10.0.0.1' }] }),
      { outcome: 'refused', rcode: rcodes.formatError },
    ],
  ])('is not answered if it is %s', (_what, bytes, expected) => {
    expect(readQuery(bytes)).toMatchObject(expected)
  })

  it('costs little to refuse, however often it repeats a long name', () => {
    const cpuMs = cpuMsOf(() => {
      for (let count = 0; count < 300; count += 1) readQuery(manyNames(4_096))
    })
    expect(cpuMs).toBeLessThan(3_000)
  })

  it('costs little even if the reply repeats a long name', () => {
    const cpuMs = cpuMsOf(() => {
      for (let count = 0; count < 5; count += 1) readReply(manyNames(65_535), 7, question)
    })
    expect(cpuMs).toBeLessThan(1_000)
  })

  it('may be any bytes', () => {
    const changed = fc.tuple(fc.uint8Array({ minLength: 0, maxLength: 40 }), fc.nat(asked.length))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), changed), (input) => {
        const bytes = Array.isArray(input) ? overwritten(Buffer.from(asked), input[0], input[1]) : Buffer.from(input)
        const read = readQuery(bytes)
        expect(['query', 'refused', 'ignored']).toContain(read.outcome)
        readReply(bytes, 7, question)
        if (read.outcome === 'query') decode(writeReply(read.query, { rcode: 0, isOwn: true }, 512))
      }),
      { numRuns: 2_000 },
    )
  })
})

function cpuMsOf(act: () => void): number {
  const begun = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}

/** Endless questions: the first has a name of 126 labels, and all others refer to it. */
function manyNames(length: number): Buffer {
  const name = Buffer.from('0161'.repeat(126), 'hex')
  const first = Buffer.concat([name, Buffer.from('0000010001', 'hex')])
  const others = Buffer.from('c00c00010001'.repeat((length - 12 - first.length) / 6), 'hex')
  const head = Buffer.alloc(12)
  head.writeUInt16BE(7, 0)
  head.writeUInt16BE(1 + others.length / 6, 4)
  return Buffer.concat([head, first, others])
}

function overwritten(bytes: Buffer, part: Uint8Array, at: number): Buffer {
  Buffer.from(part).copy(bytes, at)
  return bytes
}

describe('a reply on the wire', () => {
  const answers = Array.from({ length: 100 }, (_, index) => ({
    ...question,
    type: 'A' as const,
    ttl: 5,
    data: `10.0.0.${index}`,
  }))

  it('that does not fit is marked as truncated and contains no part of the answer', () => {
    const bytes = writeReply(queryIn(asked), { rcode: 0, isOwn: true, answers }, 1_232)
    expect(bytes.length).toBeLessThanOrEqual(1_232)
    expect(decode(bytes)).toMatchObject({ flag_tc: true, answers: [] })
    expect(decode(writeReply(queryIn(asked), { rcode: 0, isOwn: true, answers }, 65_535)).answers).toHaveLength(100)
  })

  it('drops additional records before it gives up', () => {
    const reply = { rcode: rcodes.noError, isOwn: true, answers: answers.slice(0, 5), additionals: answers }
    const bytes = writeReply(queryIn(asked), reply, 512)
    expect(decode(bytes)).toMatchObject({ flag_tc: false })
    expect(decode(bytes).answers).toHaveLength(5)
  })

  it.each<[string, number, object]>([
    ['another id', 8, question],
    ['another name', 7, { ...question, name: 'other' }],
    ['another type', 7, { ...question, type: 'AAAA' }],
  ])('of another server counts only if it matches the question, and not with %s', (_what, id, other) => {
    const bytes = encode({ id: 7, type: 'response', flags: 0, questions: [question], answers })
    expect(readReply(bytes, 7, question)?.answers).toHaveLength(100)
    expect(readReply(bytes, id, { ...question, ...other })).toBeUndefined()
  })

  it('of another server reveals nothing about names that were not asked for', () => {
    const address = (name: string) => ({ name, type: 'A', ttl: 5, data: '203.0.113.9' })
    const alias = (name: string, data: string) => ({ name, type: 'CNAME', ttl: 5, data })
    const sent = [
      address('bank.example'),
      alias('Second.example', 'third.example'),
      alias(question.name.toUpperCase(), 'second.example'),
      address('third.example'),
      alias('bank.example', 'evil.example'),
    ]
    const bytes = encode({ id: 7, type: 'response', flags: 0, questions: [question], answers: sent })
    const told = readReply(bytes, 7, question)?.answers.map(({ name }) => name.toLowerCase())
    expect(told).toEqual(['second.example', question.name, 'third.example'])
  })
})

describe('messages over a connection', () => {
  it('are the same however they are split', () => {
    const bytes = Buffer.concat([withLength(asked), withLength(Buffer.from('b')), withLength(asked)])
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const messages = new TcpMessages(4_096)
        const edges = [0, ...cuts.sort((left, right) => left - right), bytes.length]
        const parts = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
        expect(parts.flatMap((part) => messages.add(part))).toEqual([asked, Buffer.from('b'), asked])
      }),
    )
  })

  it('end with one that is too large', () => {
    expect(new TcpMessages(10).add(withLength(Buffer.alloc(11)))).toBeUndefined()
  })
})
