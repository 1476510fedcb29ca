import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type PacketRecord,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { DnsQuestion, DnsRecord } from './contract.ts'

/** What passes every network in one piece. */
export const largestDatagram = 1_232
const smallestDatagram = 512
/** A question has a name of 255 bytes and little else. */
export const largestQuery = 4_096
const headerBytes = 12
/** Beside the name: type, class, lifetime, length, and no data. */
const recordHeadBytes = 10
const responseBit = 0x80

export const rcodes = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  noName: 3,
  notImplemented: 4,
  refused: 5,
} as const

export type Rcode = (typeof rcodes)[keyof typeof rcodes]

export interface DnsQuery {
  readonly id: number
  readonly question: DnsQuestion
  readonly wantsRecursion: boolean
  /** Whether the client knows EDNS, and what it takes by UDP. */
  readonly hasExtension: boolean
  readonly datagramBytes: number
}

export type ReadQuery =
  | { readonly outcome: 'query'; readonly query: DnsQuery }
  | { readonly outcome: 'refused'; readonly id: number; readonly rcode: Rcode }
  /** Answering it would only help those who make servers talk to each other. */
  | { readonly outcome: 'ignored' }

/** Of which a question has none, but for what it says about itself. */
const mostQueryRecords = 2
/** More than any reply that is passed on has. */
const mostReplyRecords = 500

/**
 * What a message says that it holds. Looked at before it is read: a name may be a way through all of the message, for each of thousands
 * of records in it.
 */
function countsIn(bytes: Buffer): { readonly questions: number; readonly answers: number; readonly records: number } {
  const [questions, answers] = [bytes.readUInt16BE(4), bytes.readUInt16BE(6)]
  return { questions, answers, records: answers + bytes.readUInt16BE(8) + bytes.readUInt16BE(10) }
}

const labels = /^(?:[!-\-/-~]{1,63}\.)*[!-\-/-~]{1,63}$/
const longestName = 253
/** Types that mean many at once, or whole zones. */
const wholesale: ReadonlySet<string> = new Set(['ANY', 'AXFR', 'IXFR', 'MAILA', 'MAILB', 'OPT', 'TSIG', 'TKEY'])

/** Never throws, whatever the bytes are. */
export function readQuery(bytes: Buffer): ReadQuery {
  if (bytes.length < headerBytes || ((bytes[2] ?? 0) & responseBit) !== 0) return { outcome: 'ignored' }
  const id = bytes.readUInt16BE(0)
  const refused = (rcode: Rcode): ReadQuery => ({ outcome: 'refused', id, rcode })
  const { questions, answers, records } = countsIn(bytes)
  const isPlain = questions === 1 && answers === 0 && records <= mostQueryRecords
  if (bytes.length > largestQuery || !isPlain) return refused(rcodes.formatError)
  try {
    const packet = decode(bytes)
    const [question] = packet.questions
    if (packet.opcode !== 'QUERY') return refused(rcodes.notImplemented)
    if (question === undefined || !isName(question.name)) return refused(rcodes.formatError)
    if (question.class !== 'IN' || wholesale.has(question.type)) return refused(rcodes.notImplemented)
    const extension = packet.additionals?.find(({ type }) => type === 'OPT')
    return {
      outcome: 'query',
      query: {
        id,
        question: { name: question.name, type: question.type },
        wantsRecursion: (packet.flags & RECURSION_DESIRED) !== 0,
        hasExtension: extension !== undefined,
        datagramBytes: datagramBytes(extension),
      },
    }
  } catch {
    return refused(rcodes.formatError)
  }
}

/** Names with bytes that no host has would be written otherwise than they were read. */
function isName(name: string): boolean {
  return name === '.' || (name.length <= longestName && labels.test(name))
}

function datagramBytes(extension: PacketRecord | undefined): number {
  const asked = extension?.udpPayloadSize ?? smallestDatagram
  return Math.min(largestDatagram, Math.max(smallestDatagram, asked))
}

export interface DnsReply {
  readonly rcode: Rcode
  /** Of the virtual cluster itself. */
  readonly isOwn: boolean
  readonly answers?: readonly (DnsRecord | PacketRecord)[]
  readonly authorities?: readonly DnsRecord[]
  readonly additionals?: readonly DnsRecord[]
}

/** A reply that is too large for the way that it goes says so, and the client asks again by TCP. */
export function writeReply(query: DnsQuery, reply: DnsReply, mostBytes: number): Buffer {
  const { rcode, isOwn, answers = [], additionals = [] } = reply
  const mayFit = (records: readonly { readonly name: string }[]) => leastBytes(records) <= mostBytes
  const bytes = mayFit([...answers, ...additionals]) ? encodeReply(query, reply, 0) : undefined
  if (bytes !== undefined && bytes.length <= mostBytes) return bytes
  const short = mayFit(answers) ? encodeReply(query, { ...reply, additionals: [] }, 0) : undefined
  if (short !== undefined && short.length <= mostBytes) return short
  return encodeReply(query, { rcode, isOwn }, TRUNCATED_RESPONSE)
}

/** What stands before the data of each. Records are not written only to be thrown away: who asks would pay little for that. */
function leastBytes(records: readonly { readonly name: string }[]): number {
  return records.reduce((sum, { name }) => sum + name.length + recordHeadBytes, headerBytes)
}

function encodeReply(
  { id, question, wantsRecursion, hasExtension }: DnsQuery,
  { rcode, isOwn, answers = [], authorities = [], additionals = [] }: DnsReply,
  truncated: number,
): Buffer {
  const authoritative = isOwn ? AUTHORITATIVE_ANSWER : 0
  const recursion = (wantsRecursion ? RECURSION_DESIRED : 0) | RECURSION_AVAILABLE
  return encode({
    id,
    type: 'response',
    flags: authoritative | truncated | recursion | rcode,
    questions: [question],
    answers,
    authorities,
    additionals: hasExtension ? [...additionals, extensionRecord] : additionals,
  })
}

const extensionRecord: PacketRecord = {
  name: '.',
  type: 'OPT',
  udpPayloadSize: largestDatagram,
  flags: 0,
  options: [],
}

/** To something that is no question at all: never longer than what it answers. */
export function writeRefusal(id: number, rcode: Rcode): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.writeUInt16BE(id, 0)
  bytes[2] = responseBit
  bytes[3] = rcode
  return bytes
}

/** A question to another server, made anew from what was read. */
export function writeQuestion(id: number, question: DnsQuestion): Buffer {
  const { name, type } = question
  return encode({
    id,
    type: 'query',
    flags: RECURSION_DESIRED,
    questions: [{ name, type }],
    additionals: [extensionRecord],
  })
}

/** What another server says to exactly that question; nothing if it is something else. */
export function readReply(bytes: Buffer, id: number, { name, type }: DnsQuestion): ForeignReply | undefined {
  try {
    if (bytes.length < headerBytes || bytes.readUInt16BE(0) !== id) return undefined
    const { questions, records } = countsIn(bytes)
    if (questions !== 1 || records > mostReplyRecords) return undefined
    const packet = decode(bytes)
    const [question] = packet.questions
    const isAbout = question?.name.toLowerCase() === name.toLowerCase() && question.type === type
    if (packet.type !== 'response' || !isAbout) return undefined
    return {
      rcode: (packet.flags & 0xf) as Rcode,
      isTruncated: (packet.flags & TRUNCATED_RESPONSE) !== 0,
      answers: answersTo(name, packet.answers ?? []),
    }
  } catch {
    return undefined
  }
}

/** Names that stand for names that stand for names. */
const mostForeignAliases = 16

/** What is about the name that was asked for, and about those that it stands for. Anything else a client might remember of other names. */
function answersTo(asked: string, answers: readonly PacketRecord[]): readonly PacketRecord[] {
  const names = new Set([asked.toLowerCase()])
  for (let known = 0; known < names.size && known < mostForeignAliases; ) {
    known = names.size
    for (const { name, type, data } of answers)
      if (type === 'CNAME' && typeof data === 'string' && names.has(name.toLowerCase())) names.add(data.toLowerCase())
  }
  return answers.filter(({ name }) => names.has(name.toLowerCase()))
}

export interface ForeignReply {
  readonly rcode: Rcode
  readonly isTruncated: boolean
  readonly answers: readonly PacketRecord[]
}
