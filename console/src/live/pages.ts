import type { KubeObject } from '../api/objects.ts'
import { ApiProblem } from '../api/problem.ts'
import { send } from '../api/request.ts'
import { withQuery } from './query.ts'

export interface ListedPage<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly T[]
}

/** Enough to fill a screen soon; the rest comes in pages that are parsed within one frame or two. */
const firstPageSize = 500
const pageSize = 5000
const mostPages = 1000
const mostPageBytes = 64 * 1024 * 1024

/**
 * All pages of a list. Servers write the token of the next page before the items, so it is requested while one arrives.
 */
export async function* pagesOf<T extends KubeObject>(path: string, signal: AbortSignal): AsyncGenerator<ListedPage<T>> {
  const seen = new Set<string>()
  const open = (token: string) => openPage(path, { limit: String(pageSize), continue: token }, signal)
  let page = openPage(path, { limit: String(firstPageSize) }, signal)
  for (;;) {
    const early: string = await page.token
    const next = early === '' ? undefined : open(early)
    const content: ListedPage<T> = JSON.parse(await page.text)
    yield content
    const token = content.metadata?.continue ?? ''
    if (token === '') return
    if (seen.has(token) || seen.size >= mostPages) throw new ApiProblem(400, 'The list does not come to an end.')
    seen.add(token)
    page = next !== undefined && token === early ? next : open(token)
  }
}

interface OpenPage {
  /**
   * The token of the next page, as soon as it is known; empty if there is none, or if only the complete text shows it.
   */
  readonly token: Promise<string>
  readonly text: Promise<string>
}

function openPage(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): OpenPage {
  let onHead = (_head: string): void => {}
  const head = new Promise<string>((resolve) => {
    onHead = resolve
  })
  const text = readText(withQuery(path, { ...query, pretty: 'false' }), signal, onHead)
  const token = Promise.race([head.then(tokenIn), text.then(() => '')])
  // The reader of the page gets the error; the token may have no reader yet.
  token.catch(() => {})
  return { token, text }
}

const headLength = 1000

async function readText(path: string, signal: AbortSignal, onHead: (head: string) => void): Promise<string> {
  const { body } = await send(path, { signal })
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > mostPageBytes) {
      await reader.cancel().catch(() => {})
      throw new ApiProblem(400, 'The list is too long to be shown.')
    }
    const isHead = text.length < headLength
    text += decoder.decode(value, { stream: true })
    if (isHead && text.length >= headLength) onHead(text.slice(0, headLength))
  }
}

function tokenIn(head: string): string {
  const [metadata = ''] = head.split('"items"', 1)
  return /"continue":"([^"\\]+)"/.exec(metadata)?.[1] ?? ''
}
