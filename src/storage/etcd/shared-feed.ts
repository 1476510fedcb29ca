import type { ChangeBatch, StoreWatchOptions } from '../contract.ts'
import { ChangeFeed } from '../feed/change-feed.ts'
import { type FollowSource, followStore } from '../feed/follow.ts'
import type { BufferLimits } from '../feed/live-buffer.ts'

export interface SharedFeedOptions {
  readonly limits: BufferLimits
  /** A watch of the whole store. It ends only by throwing. */
  readonly watchAll: (afterRevision: number, signal: AbortSignal) => AsyncIterable<ChangeBatch>
}

interface Upstream {
  readonly source: FollowSource
  readonly stop: AbortController
  users: number
}

/**
 * One etcd watch shared by all watchers of this process, from the first to start until the last to stop. A watcher that
 * is behind catches up with a separate watch.
 */
export class SharedFeed {
  readonly #options: SharedFeedOptions
  #upstream: Upstream | undefined
  readonly #all = new Set<Upstream>()

  constructor(options: SharedFeedOptions) {
    this.#options = options
  }

  async *watch(prefix: string, options: StoreWatchOptions): AsyncGenerator<ChangeBatch> {
    if (options.signal.aborted) return
    const upstream = this.#upstream ?? this.#start(options.afterRevision)
    upstream.users += 1
    try {
      yield* followStore(upstream.source, prefix, options)
    } finally {
      upstream.users -= 1
      if (upstream.users === 0) this.#stop(upstream)
    }
  }

  /** Ends every watch with this error. */
  close(error: Error): void {
    for (const upstream of this.#all) {
      upstream.source.feed.fail(error)
      this.#stop(upstream)
    }
  }

  #start(afterRevision: number): Upstream {
    const { limits, watchAll } = this.#options
    const source = { feed: new ChangeFeed(afterRevision), limits, history: watchAll }
    const upstream = { source, stop: new AbortController(), users: 0 }
    this.#upstream = upstream
    this.#all.add(upstream)
    void this.#run(upstream)
    return upstream
  }

  async #run(upstream: Upstream): Promise<void> {
    const { feed } = upstream.source
    try {
      for await (const batch of this.#options.watchAll(feed.revision, upstream.stop.signal)) feed.publish(batch)
    } catch (error) {
      this.#forget(upstream)
      feed.fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #stop(upstream: Upstream): void {
    upstream.stop.abort()
    this.#forget(upstream)
  }

  #forget(upstream: Upstream): void {
    if (this.#upstream === upstream) this.#upstream = undefined
    this.#all.delete(upstream)
  }
}
