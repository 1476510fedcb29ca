import type { OutgoingHttpHeaders } from 'node:http2'
import { mayRepeat } from './repeats.ts'

/** HTTP/1.1 headers about a single connection, which HTTP/2 does not allow. */
const connectionHeaders: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'upgrade',
    'http2-settings',
    'te',
    'trailer',
  ],
  'host',
])

/** Converts a flat list to Node's form; the caller adds pseudo headers. */
export function http2Headers(flat: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = Object.create(null)
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = (flat[index] ?? '').toLowerCase()
    const value = flat[index + 1] ?? ''
    if (name === '' || name.startsWith(':') || connectionHeaders.has(name)) continue
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (mayRepeat(name)) headers[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return headers
}

/** Converts received headers to a flat list without pseudo headers. */
export function flatHeaders(raw: readonly string[]): readonly string[] {
  const flat: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    if (!name.startsWith(':')) flat.push(name, raw[index + 1] ?? '')
  }
  return flat
}
