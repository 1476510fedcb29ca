import type { KubeObject } from '../api/objects.ts'
import { ApiProblem, isCode } from '../api/problem.ts'
import { send } from '../api/request.ts'
import type { Change, Sink } from './contract.ts'
import { lineBatches } from './lines.ts'
import { pagesOf } from './pages.ts'
import { withQuery } from './query.ts'
import { pause, retryDelayMs } from './retry.ts'

interface WatchEvent<T> {
  readonly type: string
  readonly object: T & { readonly code?: number; readonly message?: string }
}

/** Too many requests, or a session that may be renewed: a retry may succeed. */
const passingCodes: readonly number[] = [401, 429]

/**
 * Lists a collection and follows it until the signal aborts. A broken connection is resumed where it was; everything is
 * listed again only if the platform no longer has that history.
 */
export async function follow<T extends KubeObject>(path: string, sink: Sink<T>, signal: AbortSignal): Promise<void> {
  let version: string | undefined
  for (let failures = 0; !signal.aborted; ) {
    try {
      version ??= await listAll(path, sink, signal)
      sink.state({ phase: 'live' })
      const since = performance.now()
      version = await watchFrom(path, version, sink, signal)
      failures = performance.now() - since > 1000 ? 0 : failures + 1
    } catch (error) {
      if (signal.aborted) return
      if (isCode(error, 410)) version = undefined
      else if (error instanceof ApiProblem && error.code < 500 && !passingCodes.includes(error.code)) {
        sink.state({ phase: 'refused', problem: error })
        return
      } else sink.state({ phase: 'interrupted', problem: error })
      failures += 1
    }
    if (failures > 0) await pause(retryDelayMs(failures), signal)
  }
}

/** Returns the version of the list. */
async function listAll<T extends KubeObject>(path: string, sink: Sink<T>, signal: AbortSignal): Promise<string> {
  let version = ''
  let isFirst = true
  for await (const { metadata = {}, items = [] } of pagesOf<T>(path, signal)) {
    sink.listed(items.filter(hasMetadata), isFirst)
    version = metadata.resourceVersion ?? version
    isFirst = false
  }
  sink.listEnded()
  return version
}

/** Returns the version to resume from when the stream has ended. */
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
    const changes = events.flatMap((event) => changeOf(event)).filter(({ object }) => hasMetadata(object))
    if (changes.length > 0) sink.changed(changes)
    version = events.at(-1)?.object?.metadata?.resourceVersion ?? version
  }
  return version
}

/** Lists of virtual clusters may contain anything. */
function hasMetadata(object: { readonly metadata?: unknown } | null): boolean {
  return (
    typeof object === 'object' && object !== null && typeof object.metadata === 'object' && object.metadata !== null
  )
}

/** A broken stream is treated like one that ended. */
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
