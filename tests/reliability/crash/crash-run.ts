import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Chance } from '../../support/chance.ts'
import { eventually } from '../../support/eventually.ts'
import { type ApiBody, type ApiClient, versionOf } from '../support/api-client.ts'
import { Follower } from '../support/follower.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { Ledger } from './ledger.ts'
import { Writer } from './writer.ts'

const collection = '/api/v1/namespaces/default/configmaps'
/** A server is killed after this many more writes at the earliest. */
export const leastWritten = 6

/** What the server had acknowledged before it was killed, and must still have. */
export class CrashRun {
  readonly chance: Chance
  readonly writers = Array.from(
    { length: 8 },
    (_, writer) => new Writer([new Ledger(`w${writer}-a`), new Ledger(`w${writer}-b`), new Ledger(`w${writer}-c`)]),
  )
  readonly complaints: string[] = []
  follower: Follower | undefined

  constructor(chance: Chance) {
    this.chance = chance
  }

  get ledgers(): readonly Ledger[] {
    return this.writers.flatMap((writer) => writer.ledgers)
  }

  get acknowledged(): number {
    return this.ledgers.reduce((sum, { written }) => sum + written.length, 0)
  }

  /** The highest resourceVersion that any client has seen. */
  get highestVersion(): number {
    const written = this.ledgers.flatMap((ledger) => ledger.written)
    const later = (highest: number, version: string | undefined) => Math.max(highest, Number(version ?? 0))
    return written.reduce((highest, write) => later(highest, write.resourceVersion), this.follower?.lastSeen ?? 0)
  }

  async check(client: ApiClient): Promise<void> {
    const before = this.highestVersion
    const list = await client.must('GET', collection)
    if (versionOf(list) < before) this.complaints.push(`resourceVersion went back from ${before} to ${versionOf(list)}`)
    const found = new Map<string | undefined, ApiBody>(list.items?.map((item) => [item.metadata.name, item]))
    for (const ledger of this.ledgers) this.complaints.push(...ledger.compare(found.get(ledger.name)))
    this.follower ??= new Follower(collection, list.metadata.resourceVersion ?? '')
  }

  async writeUntilKilled(server: ServerProcess, client: ApiClient): Promise<void> {
    const following = await this.follower?.follow(client)
    const writing = this.writers.map((writer) => writer.writeUntilBroken(client, collection, this.chance))
    const before = this.acknowledged
    await eventually(() => expect(this.acknowledged).toBeGreaterThanOrEqual(before + leastWritten))
    await delay(this.chance.between(0, 800))
    await server.kill()
    await Promise.all([...writing, following?.ended])
  }

  compareEvents(): readonly string[] {
    const { events = [] } = this.follower ?? {}
    return [
      ...this.writers.flatMap((writer) => writer.complaints),
      ...(this.follower?.disorder() ?? []),
      ...this.ledgers.flatMap((ledger) => ledger.compareEvents(events)),
    ]
  }
}
