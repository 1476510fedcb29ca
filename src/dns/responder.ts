import type { PacketRecord } from 'dns-packet'
import { asMembers } from '../base/json/lenient.ts'
import { type AnswerForClient, answerFor, isNameOfHost, nameAnswer, startOfAuthority } from './answer.ts'
import type { DnsQuestion, DnsRecord, DnsZone, NameSource } from './contract.ts'
import type { NameForwarder } from './forwarder.ts'
import { RecentReplies } from './recent-replies.ts'
import { type DnsQuery, type DnsReply, type Rcode, rcodes, readQuery, writeRefusal, writeReply } from './wire.ts'

export interface ResponderOptions {
  readonly zone: () => DnsZone
  readonly source: NameSource
  readonly forwarder: Pick<NameForwarder, 'ask'>
}

export interface AskedBy {
  readonly client: string
  /** Limit of the transport. Absent: the client's own limit applies. */
  readonly mostBytes?: number
}

/** Limit of a chain of aliases. */
const mostAliases = 4
const mostForeignRecords = 100
const failed: DnsReply = { rcode: rcodes.serverFailure, isOwn: false }
const passedOn: ReadonlySet<Rcode> = new Set([rcodes.noError, rcodes.noName])

/** From the bytes of a question to the bytes of a reply. Names of the virtual cluster are answered synchronously. */
export class Responder {
  readonly #options: ResponderOptions
  readonly #recent = new RecentReplies()
  #turn = 0

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  /** Undefined: no reply is sent. */
  reply(bytes: Buffer, by: AskedBy): Buffer | Promise<Buffer> | undefined {
    const isDatagram = by.mostBytes === undefined
    const known = isDatagram ? this.#recent.find(bytes, this.#options.source.version) : undefined
    if (known !== undefined) return known
    const read = readQuery(bytes)
    switch (read.outcome) {
      case 'ignored':
        return undefined
      case 'refused':
        return writeRefusal(read.id, read.rcode)
      case 'query':
        return this.#replyTo(read.query, bytes, by)
    }
  }

  #replyTo(query: DnsQuery, bytes: Buffer, { client, mostBytes }: AskedBy): Buffer | Promise<Buffer> {
    const { source, zone } = this.#options
    if (!source.isComplete) return writeReply(query, failed, mostBytes ?? query.datagramBytes)
    const found = nameAnswer(query.question, zone(), source)
    const answer = answerFor(client, query.question, found)
    if (answer.outcome === 'elsewhere' || answer.outcome === 'alias') {
      return this.#lookUp(query, answer, client)
        .then((reply) => writeReply(query, reply, mostBytes ?? query.datagramBytes))
        .catch(() => writeReply(query, failed, mostBytes ?? query.datagramBytes))
    }
    const reply = writeReply(query, this.#own(answer), mostBytes ?? query.datagramBytes)
    const isForAll = found === answer
    if (mostBytes === undefined && isForAll && !hasTurns(answer)) this.#recent.remember(bytes, source.version, reply)
    return reply
  }

  #own(answer: Exclude<AnswerForClient, { outcome: 'elsewhere' | 'alias' }>): DnsReply {
    const authorities = [startOfAuthority(this.#options.zone())]
    switch (answer.outcome) {
      case 'records':
        return {
          rcode: rcodes.noError,
          isOwn: true,
          answers: this.#inTurn(answer.records),
          additionals: answer.more ?? [],
        }
      case 'no data':
        return { rcode: rcodes.noError, isOwn: true, authorities }
      case 'no name':
        return { rcode: rcodes.noName, isOwn: true, authorities }
    }
  }

  /** Clients use the first record, so each of several comes first in turn. */
  #inTurn(records: readonly DnsRecord[]): readonly DnsRecord[] {
    if (records.length < 2) return records
    const first = this.#turn++ % records.length
    return first === 0 ? records : [...records.slice(first), ...records.slice(0, first)]
  }

  async #lookUp(query: DnsQuery, first: AnswerForClient, client: string): Promise<DnsReply> {
    const { source, zone } = this.#options
    const aliases: DnsRecord[] = []
    let { question } = query
    let answer = first
    while (answer.outcome === 'alias' && aliases.length < mostAliases) {
      aliases.push(answer.record)
      question = { name: answer.target, type: question.type }
      answer = answerFor(client, question, nameAnswer(question, zone(), source))
    }
    if (answer.outcome === 'alias') return { rcode: rcodes.serverFailure, isOwn: true, answers: aliases }
    if (answer.outcome !== 'elsewhere') {
      const own = this.#own(answer)
      return { ...own, rcode: rcodes.noError, answers: [...aliases, ...(own.answers ?? [])] }
    }
    return query.wantsRecursion
      ? this.#elsewhere(question, aliases, client)
      : { rcode: aliases.length > 0 ? rcodes.noError : rcodes.refused, isOwn: false, answers: aliases }
  }

  async #elsewhere(question: DnsQuestion, aliases: readonly DnsRecord[], client: string): Promise<DnsReply> {
    const found = await this.#options.forwarder.ask(question, client)
    if (found === undefined || !passedOn.has(found.rcode)) {
      const rcode = found?.rcode === rcodes.refused ? rcodes.refused : rcodes.serverFailure
      return { rcode, isOwn: false, answers: aliases }
    }
    const foreign = found.answers.slice(0, mostForeignRecords)
    if (foreign.some((record) => isAboutHost(record, this.#options.zone()))) {
      return { rcode: rcodes.noName, isOwn: false, answers: aliases }
    }
    const answers: readonly (DnsRecord | PacketRecord)[] = [...aliases, ...foreign]
    return { rcode: found.rcode, isOwn: false, answers }
  }
}

/** Any name may be an alias of a host name, which the host's resolver would reveal. */
function isAboutHost({ name, data }: PacketRecord, zone: DnsZone): boolean {
  return [name, ...namesIn(data)].some((each) => isNameOfHost(each, zone))
}

/** The data of aliases and pointers is a name, and service records contain one. */
function namesIn(data: PacketRecord['data']): readonly string[] {
  if (typeof data === 'string') return [data]
  const { target } = asMembers(data)
  return typeof target === 'string' ? [target] : []
}

/** Whether the next reply differs although nothing has changed. */
function hasTurns(answer: AnswerForClient): boolean {
  return answer.outcome === 'records' && answer.records.length > 1
}
