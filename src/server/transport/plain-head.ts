import type { IncomingHttpHeaders } from 'node:http'

/** The header fields of a request. Clients repeat them word for word, so that they are parsed once per connection. */
export interface PlainFields {
  readonly text: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

export interface PlainHead {
  readonly url: string
  readonly fields: PlainFields
  /** Bytes up to and including the empty line. */
  readonly length: number
}

const version = ' HTTP/1.1'
const target = /^\/[\x21-\x7e]*$/

/**
 * Reads a GET without a body and without anything unusual, from bytes as Latin-1. Undefined for everything else,
 * however harmless: that is for Node's own parser.
 */
export function readPlainHead(text: string, last: PlainFields | undefined): PlainHead | undefined {
  if (!text.startsWith('GET /')) return undefined
  const lineEnd = text.indexOf('\r\n')
  const end = text.indexOf('\r\n\r\n', lineEnd)
  if (lineEnd < 0 || end < 0 || !text.startsWith(version, lineEnd - version.length)) return undefined
  const url = text.slice('GET '.length, lineEnd - version.length)
  if (!target.test(url)) return undefined
  const fieldsText = text.slice(lineEnd + 2, end)
  const fields = last?.text === fieldsText ? last : readPlainFields(fieldsText)
  return fields === undefined ? undefined : { url, fields, length: end + 4 }
}

/** What these ask for is not plain. */
const unusual: ReadonlySet<string> = new Set([
  ...[
    'content-length',
    'transfer-encoding',
    'expect',
    'upgrade',
    'http2-settings',
    'te',
    'trailer',
    'proxy-connection',
  ],
  '__proto__',
])

const fieldName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
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
  return headers.host === undefined ? undefined : { text, headers, rawHeaders }
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
  return !unusual.has(key)
}
