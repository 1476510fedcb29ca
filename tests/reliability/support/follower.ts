import { type ApiClient, versionOf } from './api-client.ts'
import type { WatchedEvent, Watching } from './watching.ts'

/** A client that always resumes its watch from the last resourceVersion it saw, across failures of the server. */
export class Follower {
  readonly events: WatchedEvent[] = []
  readonly startedAfter: number
  readonly #path: string
  #lastSeen: string

  constructor(path: string, after: string) {
    this.#path = path
    this.startedAfter = Number(after)
    this.#lastSeen = after
  }

  get lastSeen(): number {
    return Number(this.#lastSeen)
  }

  /** Watches on one connection until it ends. */
  async follow(client: ApiClient): Promise<Watching> {
    const watching = await client.watch(this.#path, this.#lastSeen)
    // A server that has lost its store refuses keys: such an answer is not an event.
    if (watching.status === 200) watching.onEvent = (event) => this.#take(event)
    return watching
  }

  /** Violations of the order: each event must be newer than the one before. */
  disorder(): readonly string[] {
    return this.events.slice(1).flatMap(({ type, object }, index) => {
      const before = this.events[index]
      if (before !== undefined && versionOf(object) > versionOf(before.object)) return []
      return [
        `${type} ${object.metadata.name} at ${versionOf(object)} came after ${before?.object.metadata.resourceVersion}`,
      ]
    })
  }

  #take(event: WatchedEvent): void {
    this.events.push(event)
    this.#lastSeen = event.object.metadata.resourceVersion ?? this.#lastSeen
  }
}
