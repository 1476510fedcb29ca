import type { IncomingHttpHeaders } from 'node:http'
import { ConnectionError } from '../connection/connection-error.ts'
import { fieldName } from './field-name.ts'

export interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** In bytes, unless the body tells its own end. */
  readonly bodyLength: number | 'chunked' | 'until the connection ends'
  /** For how long another request may follow on the connection; 0 if none may. */
  readonly keepsOpenMs: number
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/
/** Some take a line feed or a carriage return alone for the end of a line, others do not. */
const plainLines = /^[\t\x20-\x7e\x80-\xff]*(?:\r\n[\t\x20-\x7e\x80-\xff]*)*$/
const keepAliveSeconds = /\btimeout=(\d{1,9})\b/i
const wholeNumber = /^\d{1,15}$/

/** The head of an answer without the empty line at its end. Throws ConnectionError for what leaves any doubt. */
export function readAnswerHead(text: string): AnswerHead {
  const lines = linesOf(text)
  const [, minorVersion, code] = statusLine.exec(lines[0] ?? '') ?? malformed('does not begin with a status')
  const headers = readFields(lines, 1)
  const status = Number(code)
  const isOld = minorVersion === '0'
  const bodyLength = bodyLengthOf(status, headers, isOld)
  const keepsOpen = bodyLength !== 'until the connection ends' && asksToKeepOpen(headers, isOld)
  return { status, headers, bodyLength, keepsOpenMs: keepsOpen ? promisedMs(headers) : 0 }
}

export function malformed(problem: string): never {
  throw new ConnectionError(`the server sent an answer that is not HTTP: it ${problem}`)
}

/** What is said behind the last chunk of an answer. Throws ConnectionError if it is anything but headers. */
export function checkTrailers(text: string): void {
  readFields(linesOf(text), 0)
}

function linesOf(text: string): readonly string[] {
  if (!plainLines.test(text)) malformed('has control characters in its head')
  return text.split('\r\n')
}

function readFields(lines: readonly string[], from: number): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {}
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (!fieldName.test(name)) malformed('has a header without a name')
    const value = withoutBlanks(line, colon + 1)
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (name === 'set-cookie') headers[name] = [...(before ?? []), value]
    else headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}

/** `trim` takes away more than the blanks and tabs that HTTP allows around a value. */
function withoutBlanks(line: string, from: number): string {
  let start = from
  let end = line.length
  while (isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Two ways of telling the length that could differ are how answers are mistaken for each other, so one has to do. */
function bodyLengthOf(status: number, headers: IncomingHttpHeaders, isOld: boolean): AnswerHead['bodyLength'] {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers
  if (status < 200 || status === 204 || status === 304) return 0
  if (encoding !== undefined) {
    const isClear = encoding.toLowerCase() === 'chunked' && length === undefined && !isOld
    if (!isClear) malformed('does not say clearly where it ends')
    return 'chunked'
  }
  if (length === undefined) return 'until the connection ends'
  return wholeNumber.test(length) ? Number(length) : malformed('has a length that is no number')
}

function asksToKeepOpen({ connection = '' }: IncomingHttpHeaders, isOld: boolean): boolean {
  const words = connection.toLowerCase().split(',')
  const says = (word: string) => words.some((each) => each.trim() === word)
  return !says('close') && (!isOld || says('keep-alive'))
}

/** A little less than the server says, so that it does not close the connection while a request is on its way. */
function promisedMs({ 'keep-alive': promise }: IncomingHttpHeaders): number {
  const [, seconds] = promise === undefined ? [] : (keepAliveSeconds.exec(String(promise)) ?? [])
  if (seconds === undefined) return Number.POSITIVE_INFINITY
  const ms = Number(seconds) * 1000
  return Math.max(ms - 1000, ms / 2)
}
