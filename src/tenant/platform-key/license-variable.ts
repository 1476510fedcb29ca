import { isJsonObject } from '../../base/json/member.ts'
import { type ReadKey, readKeyEntries } from './entries.ts'

const expected = 'JSON such as {"host": "platform.example.com", "accessKey": "…"}, or the same in base64'

/** The environment variable LICENSE. Undefined if it is unset or empty; any other value must be a key. */
export function readLicenseVariable(value: string | undefined): ReadKey | undefined {
  const text = value?.trim()
  if (!text) return undefined
  const object = jsonObjectIn(text) ?? jsonObjectIn(fromBase64(text))
  if (object === undefined) return { ok: false, message: `is not ${expected}` }
  return readKeyEntries({ type: 'environment' }, textsOf(object))
}

/** Errors of JSON.parse contain parts of the text, which may be the key. */
function jsonObjectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fromBase64(text: string): string {
  return /^[\w+/\s-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8').trim() : ''
}

function textsOf(object: Record<string, unknown>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined,
    ]),
  )
}
