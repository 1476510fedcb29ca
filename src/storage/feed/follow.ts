import type { ChangeBatch, StoreWatchOptions } from '../contract.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { BufferLimits } from './live-buffer.ts'
import { selectChanges } from './select.ts'

/** The feed, and the history that a watcher reads while it is behind the feed. */
export interface FollowSource {
  readonly feed: ChangeFeed
  readonly limits: BufferLimits
  /**
   * Batches after that revision, in order. Throws RevisionCompacted if they have been compacted. It may continue past
   * the feed's revision: the follower leaves once it has caught up.
   */
  history(afterRevision: number, signal: AbortSignal): AsyncIterable<ChangeBatch>
}

/**
 * Reads history until it meets the feed, then stays with the feed, and returns to history if its buffer overflows. No
 * change is lost or duplicated at the seam, because comparing with the feed and attaching to it happen in the same
 * turn.
 */
export async function* followStore(
  source: FollowSource,
  prefix: string,
  options: StoreWatchOptions,
): AsyncGenerator<ChangeBatch> {
  let position = options.afterRevision
  while (!options.signal.aborted) {
    position = isBehind(source, position)
      ? yield* catchUp(source, prefix, position, options)
      : yield* live(source, prefix, position, options)
  }
}

async function* catchUp(
  source: FollowSource,
  prefix: string,
  afterRevision: number,
  options: StoreWatchOptions,
): AsyncGenerator<ChangeBatch, number> {
  let position = afterRevision
  for await (const batch of source.history(afterRevision, options.signal)) {
    const changes = selectChanges(batch, prefix, position)
    position = Math.max(position, batch.revision)
    if (changes.length > 0 || options.progress === true) yield { changes, revision: position }
    if (options.signal.aborted || !isBehind(source, position)) break
  }
  return position
}

async function* live(
  source: FollowSource,
  prefix: string,
  afterRevision: number,
  options: StoreWatchOptions,
): AsyncGenerator<ChangeBatch, number> {
  const { feed, limits } = source
  const buffer = feed.attach({ prefix, afterRevision, progress: options.progress === true, limits })
  const end = () => buffer.end()
  options.signal.addEventListener('abort', end, { once: true })
  try {
    for (;;) {
      const batch = await buffer.take()
      if (batch === undefined) return buffer.seenRevision
      yield batch
    }
  } finally {
    options.signal.removeEventListener('abort', end)
    feed.detach(buffer)
  }
}

function isBehind(source: FollowSource, position: number): boolean {
  return position < source.feed.revision
}
