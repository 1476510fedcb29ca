import { isJsonObject } from '../../../base/json/member.ts'

export interface AskHead {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
}

export interface AnswerHead {
  readonly status: number
  readonly headers: readonly string[]
}

/** Undefined when it is none. */
export function askHead(head: unknown): AskHead | undefined {
  if (!isJsonObject(head)) return undefined
  const { method, url, headers } = head
  return typeof method === 'string' && typeof url === 'string' && isHeaderList(headers)
    ? { method, url, headers }
    : undefined
}

/** Undefined when it is none. */
export function answerHead(head: unknown): AnswerHead | undefined {
  if (!isJsonObject(head)) return undefined
  const { status, headers } = head
  return typeof status === 'number' && Number.isInteger(status) && isHeaderList(headers)
    ? { status, headers }
    : undefined
}

const name = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** Nothing further on may take a part of a header for the end of it. */
function isHeaderList(list: unknown): list is readonly string[] {
  if (!Array.isArray(list) || list.length % 2 !== 0) return false
  return list.every((text, index) => typeof text === 'string' && (index % 2 === 0 ? name : value).test(text))
}

/** Names in lower case; a value that is not of one byte per character becomes UTF-8 in that form. */
export function carriedHeaders(flat: readonly string[]): readonly string[] {
  return flat.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : carriedValue(text)))
}

function carriedValue(text: string): string {
  if (value.test(text)) return text
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ')
}
