import { setTimeout as delay } from 'node:timers/promises'
import type { Watching } from '../../../reliability/support/watching.ts'
import type { Seen, Sight } from '../checker/history.ts'
import { collections } from './paths.ts'
import type { Servers } from './servers.ts'

const betweenTriesMs = 30

/** Records all watch events of workloads and their Pods, from any replica. */
export class Recorder {
  readonly history: Sight[] = []
  /** Events that no watch may send, such as lost history. */
  readonly problems: string[] = []
  /** The last known states, by uid. */
  readonly now = new Map<string, Seen>()
  readonly #servers: Servers
  readonly #open = new Set<Watching>()
  #isStopped = false
  #following: readonly Promise<void>[] = []

  constructor(servers: Servers) {
    this.#servers = servers
  }

  /** Called before any object exists. */
  async start(): Promise<void> {
    const client = await this.#servers.client()
    const lists = await Promise.all(collections.map((path) => client.must('GET', path)))
    this.#following = collections.map((path, index) =>
      this.#follow(path, lists[index]?.metadata.resourceVersion ?? '0'),
    )
  }

  all(kind: string): readonly Seen[] {
    return [...this.now.values()].filter((each) => each.kind === kind)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#open].map((each) => each.stop()))
    await Promise.all(this.#following)
  }

  /** Resumes from the last known version, across failures of servers. */
  async #follow(path: string, from: string): Promise<void> {
    let last = from
    while (!this.#isStopped) {
      const watching = await this.#watch(path, last)
      if (watching !== undefined) {
        watching.onEvent = (event) => {
          const sight = event as unknown as Sight
          last = sight.object.metadata.resourceVersion ?? last
          this.#take(path, sight)
        }
        await watching.ended
        this.#open.delete(watching)
      }
      await delay(betweenTriesMs)
    }
  }

  async #watch(path: string, after: string): Promise<Watching | undefined> {
    try {
      const watching = await (await this.#servers.client()).watch(path, after)
      this.#open.add(watching)
      return watching
    } catch {
      return undefined
    }
  }

  #take(path: string, sight: Sight): void {
    const { type, object } = sight
    if (type === 'ERROR') {
      this.problems.push(`a watch of ${path} ended with ${JSON.stringify(object)}`)
      this.#isStopped = true
      return
    }
    this.history.push(sight)
    if (type === 'DELETED') this.now.delete(object.metadata.uid)
    else this.now.set(object.metadata.uid, object)
  }
}
