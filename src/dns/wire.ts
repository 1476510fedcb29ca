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

/** Fits through every network without fragmentation. */
const largestDatagram = 1_232
const smallestDatagram = 512
/** A question has a name of 255 bytes and little else. */
export const largestQuery = 4_096
const headerBytes = 12
/** Besides the name: type, class, lifetime, length, and no data. */
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
  /** Whether the client supports EDNS, and its UDP limit. */
  readonly hasExtension: boolean
  readonly datagramBytes: number
}

export type ReadQuery =
  | { readonly outcome: 'query'; readonly query: DnsQuery }
  | { readonly outcome: 'refused'; readonly id: number; readonly rcode: Rcode }
  /** Answering would only help attackers who make servers talk to each other. */
  | { readonly outcome: 'ignored' }

/** A question has no records, except for its EDNS options. */
const mostQueryRecords = 2
/** More than any forwarded reply has. */
const mostReplyRecords = 500

/**
 * The counts that a message states. Checked before parsing: a name may lead through the whole message, for each of
 * thousands of records.
 */
function countsIn(bytes: Buffer): { readonly questions: number; readonly answers: number; readonly records: number } {
  const [questions, answers] = [bytes.readUInt16BE(4), bytes.readUInt16BE(6)]
  return { questions, answers, records: answers + bytes.readUInt16BE(8) + bytes.readUInt16BE(10) }
}

const labels = /^(?:[!-\-/-~]{1,63}\.)*[!-\-/-~]{1,63}$/
const longestName = 253
/** Types that stand for many others, or for whole zones. */
const wholesale: ReadonlySet<string> = new Set(['ANY', 'AXFR', 'IXFR', 'MAILA', 'MAILB', 'OPT', 'TSIG', 'TKEY'])

/** Never throws, whatever the bytes. */
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

/** Names with bytes that no host name contains would be written differently than they were read. */
function isName(name: string): boolean {
  return name === '.' || (name.length <= longestName && labels.test(name))
}

function datagramBytes(extension: PacketRecord | undefined): number {
  const asked = extension?.udpPayloadSize ?? smallestDatagram
  return Math.min(largestDatagram, Math.max(smallestDatagram, asked))
}

export interface DnsReply {
  readonly rcode: Rcode
  /** Whether it comes from the virtual cluster itself. */
  readonly isOwn: boolean
  readonly answers?: readonly (DnsRecord | PacketRecord)[]
  readonly authorities?: readonly DnsRecord[]
  readonly additionals?: readonly DnsRecord[]
}

/** A reply that is too large for its transport is marked as truncated, and the client asks again by TCP. */
export function writeReply(query: DnsQuery, reply: DnsReply, mostBytes: number): Buffer {
  const { rcode, isOwn, answers = [], additionals = [] } = reply
  const mayFit = (records: readonly { readonly name: string }[]) => leastBytes(records) <= mostBytes
  const bytes = mayFit([...answers, ...additionals]) ? encodeReply(query, reply, 0) : undefined
  if (bytes !== undefined && bytes.length <= mostBytes) return bytes
  const short = mayFit(answers) ? encodeReply(query, { ...reply, additionals: [] }, 0) : undefined
  if (short !== undefined && short.length <= mostBytes) return short
  return encodeReply(query, { rcode, isOwn }, TRUNCATED_RESPONSE)
}

/**
 * The size before the data of each record. Records are not encoded only to be dropped, because asking for that would
 * cost a client little.
 */
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

/** For input that is not a question at all: never longer than what it answers. */
export function writeRefusal(id: number, rcode: Rcode): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.writeUInt16BE(id, 0)
  bytes[2] = responseBit
  bytes[3] = rcode
  return bytes
}

/** A question to another server, rebuilt from what was parsed. */
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

/** Another server's reply to exactly this question; undefined for anything else. */
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

/** Limit of a chain of aliases. */
const mostForeignAliases = 16

/** Only records about the requested name and its aliases: otherwise a client might cache answers about other names. */
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
