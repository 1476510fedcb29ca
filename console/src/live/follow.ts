import type { KubeObject } from '../api/objects.ts'
import { ApiProblem, isCode } from '../api/problem.ts'
import { askText, send } from '../api/request.ts'
import type { Change, Sink } from './contract.ts'
import { lineBatches } from './lines.ts'
import { pause, retryDelayMs } from './retry.ts'

const pageSize = '5000'

interface Listed<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly T[]
}

interface WatchEvent<T> {
  readonly type: string
  readonly object: T & { readonly code?: number; readonly message?: string }
}

/**
 * Lists a collection and follows it until the signal aborts. A connection that breaks is taken up again where it was; only
 * when the platform has forgotten that far back, everything is listed anew.
 */
export async function follow<T extends KubeObject>(path: string, sink: Sink<T>, signal: AbortSignal): Promise<void> {
  let version: string | undefined
  let isLoaded = false
  for (let failures = 0; !signal.aborted; ) {
    try {
      if (version === undefined) {
        version = await listAll(path, sink, signal)
        isLoaded = true
      }
      sink.state({ phase: 'live' })
      const since = performance.now()
      version = await watchFrom(path, version, sink, signal)
      failures = performance.now() - since > 1000 ? 0 : failures + 1
    } catch (error) {
      if (signal.aborted) return
      if (isCode(error, 410)) version = undefined
      else if (error instanceof ApiProblem && error.code < 500 && error.code !== 429) {
        sink.state({ phase: 'refused', problem: error })
        return
      } else sink.state({ phase: 'interrupted', isLoaded })
      failures += 1
    }
    if (failures > 0) await pause(retryDelayMs(failures), signal)
  }
}

/** The next page is under way while one is being read. */
async function listAll<T extends KubeObject>(path: string, sink: Sink<T>, signal: AbortSignal): Promise<string> {
  let page = readPage(path, '', signal)
  for (let isFirst = true; ; isFirst = false) {
    const text = await page
    const early = tokenAtStart(text)
    if (early !== '') page = readPage(path, early, signal)
    const { metadata = {}, items = [] }: Listed<T> = JSON.parse(text)
    sink.listed(items, isFirst)
    const token = metadata.continue ?? ''
    if (token === '') {
      sink.listEnded()
      return metadata.resourceVersion ?? ''
    }
    if (token !== early) page = readPage(path, token, signal)
  }
}

function readPage(path: string, token: string, signal: AbortSignal): Promise<string> {
  const query = { limit: pageSize, pretty: 'false', ...(token === '' ? {} : { continue: token }) }
  const page = askText(withQuery(path, query), { signal })
  // Whoever waits for the page hears of it; nobody may be waiting yet.
  page.catch(() => {})
  return page
}

const headLength = 2000

/** Servers write the metadata of a list before its items. */
function tokenAtStart(text: string): string {
  const [head = ''] = text.slice(0, headLength).split('"items"', 1)
  return /"continue":"([^"\\]+)"/.exec(head)?.[1] ?? ''
}

/** The version to go on from when the stream has ended. */
async function watchFrom<T extends KubeObject>(
  path: string,
  from: string,
  sink: Sink<T>,
  signal: AbortSignal,
): Promise<string> {
  const query = { watch: 'true', resourceVersion: from, allowWatchBookmarks: 'true' }
  const { body } = await send(withQuery(path, query), { signal })
  if (body === null) return from
  let version = from
  for await (const lines of brokenAsInterrupted(lineBatches(body), signal)) {
    const events = lines.filter((line) => line !== '').map((line): WatchEvent<T> => JSON.parse(line))
    const changes = events.flatMap((event) => changeOf(event))
    if (changes.length > 0) sink.changed(changes)
    version = events.at(-1)?.object.metadata?.resourceVersion ?? version
  }
  return version
}

/** A stream that breaks off is no different from one that ends. */
async function* brokenAsInterrupted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (signal.aborted || error instanceof ApiProblem) throw error
  }
}

function changeOf<T extends KubeObject>({ type, object }: WatchEvent<T>): readonly Change<T>[] {
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return [{ type: 'put', object }]
    case 'DELETED':
      return [{ type: 'remove', object }]
    case 'ERROR':
      throw new ApiProblem(object.code ?? 500, object.message ?? 'The watch ended with an error.')
    default:
      return []
  }
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`
}
