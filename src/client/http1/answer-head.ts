import type { IncomingHttpHeaders } from 'node:http'
import { ConnectionError } from '../connection/connection-error.ts'

export interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** In bytes, unless the body tells its own end. */
  readonly bodyLength: number | 'chunked' | 'until the connection ends'
  /** Whether another request may follow on the connection. */
  readonly keepsOpen: boolean
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/
const fieldName = /^[!#$%&'*+\-.^_`|~\w]+$/
const wholeNumber = /^\d{1,15}$/

/** The head of an answer without the empty line at its end. Throws ConnectionError for what leaves any doubt. */
export function readAnswerHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minorVersion, code] = statusLine.exec(first) ?? malformed('does not begin with a status')
  const headers = readFields(lines)
  const status = Number(code)
  return { status, headers, bodyLength: bodyLengthOf(status, headers), keepsOpen: keepsOpen(headers, minorVersion) }
}

export function malformed(problem: string): never {
  throw new ConnectionError(`the server sent an answer that is not HTTP: it ${problem}`)
}

function readFields(lines: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (!fieldName.test(name)) malformed('has a header without a name')
    const value = line.slice(colon + 1).trim()
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (name === 'set-cookie') headers[name] = [...(before ?? []), value]
    else headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}

/** Two ways of telling the length that could differ are how answers are mistaken for each other, so one has to do. */
function bodyLengthOf(status: number, headers: IncomingHttpHeaders): AnswerHead['bodyLength'] {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers
  if (status < 200 || status === 204 || status === 304) return 0
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked' || length !== undefined) malformed('does not say clearly where it ends')
    return 'chunked'
  }
  if (length === undefined) return 'until the connection ends'
  return wholeNumber.test(length) ? Number(length) : malformed('has a length that is no number')
}

function keepsOpen({ connection = '' }: IncomingHttpHeaders, minorVersion: string | undefined): boolean {
  const words = connection.toLowerCase().split(',')
  const says = (word: string) => words.some((each) => each.trim() === word)
  return minorVersion === '1' ? !says('close') : says('keep-alive')
}
