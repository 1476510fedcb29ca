import type { IncomingHttpHeaders } from 'node:http'

/** The header fields of a request. Clients repeat them word for word, so that they are parsed once per connection. */
export interface PlainFields {
  readonly text: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** As told; undefined when nothing is. */
  readonly bodyLength: number | undefined
}

export interface PlainHead {
  readonly method: string
  readonly url: string
  readonly fields: PlainFields
  /** Bytes up to and including the empty line. */
  readonly length: number
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const version = ' HTTP/1.1'
const target = /^\/[\x21-\x7e]*$/

/**
 * Reads the head of a request with nothing unusual about it, from bytes as Latin-1: a GET without a body, or a write
 * with a body whose length is told. Undefined for everything else, however harmless: that is for Node's own parser.
 */
export function readPlainHead(text: string, last: PlainFields | undefined): PlainHead | undefined {
  const method = methods.find((each) => text.startsWith(each) && text.startsWith(' /', each.length))
  const lineEnd = text.indexOf('\r\n')
  const end = text.indexOf('\r\n\r\n', lineEnd)
  if (method === undefined || lineEnd < 0 || end < 0) return undefined
  if (!text.startsWith(version, lineEnd - version.length)) return undefined
  const url = text.slice(method.length + 1, lineEnd - version.length)
  if (!target.test(url)) return undefined
  const fieldsText = text.slice(lineEnd + 2, end)
  const fields = last?.text === fieldsText ? last : readPlainFields(fieldsText)
  if (fields === undefined || (method === 'GET' && fields.bodyLength !== undefined)) return undefined
  return { method, url, fields, length: end + 4 }
}

/** What these ask for is not plain. */
const unusual: ReadonlySet<string> = new Set([
  ...['transfer-encoding', 'expect', 'upgrade', 'http2-settings', 'te', 'trailer', 'proxy-connection'],
  '__proto__',
])

const fieldName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
const contentLength = /^[0-9]{1,8}$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

function readPlainFields(text: string): PlainFields | undefined {
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon < 0) return undefined
    const name = line.slice(0, colon)
    const key = name.toLowerCase()
    const value = trimmed(line.slice(colon + 1))
    if (!fieldName.test(name) || !fieldValue.test(value) || !isPlain(key, value)) return undefined
    if (Object.hasOwn(headers, key)) return undefined
    headers[key] = value
    rawHeaders.push(name, value)
  }
  if (headers.host === undefined) return undefined
  const length = headers['content-length']
  return { text, headers, rawHeaders, bodyLength: length === undefined ? undefined : Number(length) }
}

/** Only spaces and tabs: `trim` would take more. */
function trimmed(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charCodeAt(start))) start++
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function isPlain(key: string, value: string): boolean {
  if (key === 'connection') return value.toLowerCase() === 'keep-alive'
  if (key === 'content-length') return contentLength.test(value)
  return !unusual.has(key)
}
