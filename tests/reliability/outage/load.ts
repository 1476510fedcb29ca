import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type ApiClient, versionOf } from '../support/api-client.ts'
import { Follower } from '../support/follower.ts'
import type { Running } from '../support/running.ts'
import { type Floors, Witness } from './witness.ts'

const collection = '/api/v1/namespaces/default/configmaps'
/** Without it, those who are answered from memory would take a processor for as long as an outage lasts. */
const pauseMs = 10
const pauseAfterRefusalMs = 50

/** Writers, readers and watchers on every replica, which continue through outages. */
export class Load {
  readonly witness = new Witness()
  readonly followers: Follower[] = []
  /** Those who ask for the current state, which only etcd knows. */
  readonly askers: string[] = []
  readonly #stop = new AbortController()
  readonly #loops: Promise<void>[] = []

  static async start(replicas: readonly Running[]): Promise<Load> {
    const load = new Load()
    for (const [index, { client }] of replicas.entries()) {
      load.witness.wrote(await client.must('POST', collection, { metadata: { name: `counter-${index}` } }))
    }
    for (const [index, { client }] of replicas.entries()) await load.#join(client, index)
    return load
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#loops)
  }

  async #join(client: ApiClient, index: number): Promise<void> {
    const { witness } = this
    const follower = new Follower(collection, String(witness.lastAcknowledged))
    this.followers.push(follower)
    this.#loops.push(this.#write(client, `counter-${index}`), this.#watch(client, follower))
    this.askers.push(`writer of counter-${index}`)
    for (const path of [collection, `${collection}/counter-0`, `${collection}/counter-1`]) {
      this.#loops.push(this.#read(client, path, `replica ${index}`, witness))
      this.askers.push(`replica ${index}, ${path}`)
    }
    // For "any" state, the only promise is that one replica never goes back in time.
    this.#loops.push(this.#read(client, `${collection}?resourceVersion=0`, `replica ${index}, any`, new Witness()))
  }

  #write(client: ApiClient, name: string): Promise<void> {
    let count = 0
    const next = () => {
      count += 1
      return client.mergePatch(`${collection}/${name}`, { data: { count: String(count) } })
    }
    return this.#repeat(`writer of ${name}`, next, ({ body }) => this.witness.wrote(body))
  }

  #read(client: ApiClient, path: string, asker: string, witness: Witness): Promise<void> {
    let floors: Floors = new Map()
    const next = () => {
      floors = witness.floors()
      return client.request('GET', path)
    }
    const accept = ({ body }: Answer) => {
      witness.read(body, floors, asker)
      if (witness !== this.witness) this.witness.complaints.push(...witness.complaints.splice(0))
    }
    return this.#repeat(`${asker}, ${path}`, next, accept)
  }

  async #repeat(asker: string, next: () => Promise<Answer>, accept: (answer: Answer) => void): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const answer = await next()
      if (answer.status < 300) accept(answer)
      else this.witness.refused(answer, asker)
      await delay(answer.status < 300 ? pauseMs : pauseAfterRefusalMs)
    }
  }

  /** A watch may continue through an outage or end, but not be cut off. */
  async #watch(client: ApiClient, follower: Follower): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const watching = await follower.follow(client)
      if (watching.status !== 200) {
        await delay(pauseAfterRefusalMs)
        continue
      }
      const stop = () => void watching.stop()
      signal.addEventListener('abort', stop, { once: true })
      const end = await watching.ended
      signal.removeEventListener('abort', stop)
      if (end === 'broken' && !signal.aborted) this.witness.complaints.push('a watch was torn off')
    }
  }
}

/** Acknowledged writes that a watch has skipped. */
export function untold(load: Load, follower: Follower): readonly number[] {
  const told = new Set(follower.events.map(({ object }) => versionOf(object)))
  const { startedAfter, lastSeen } = follower
  return load.witness.acknowledged.filter(
    (version) => version > startedAfter && version <= lastSeen && !told.has(version),
  )
}
