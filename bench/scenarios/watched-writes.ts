import { setTimeout as sleep } from 'node:timers/promises'
import { configMap, objectName, objectPath } from '../config-map.ts'
import type { Subject } from '../contract.ts'
import { type Deliveries, resourceVersionOf } from '../load/deliveries.ts'
import { type Http1Connection, requestBytes } from '../load/http1-connection.ts'
import { usageOf } from '../servers/usage.ts'
import { quantile } from '../statistics.ts'

export interface Writes {
  readonly subject: Subject
  readonly deliveries: Deliveries
  readonly writers: readonly Http1Connection[]
  readonly durationMs: number
  /** The maximum number of writes on their way to the watchers: the load adapts to what the server delivers. */
  readonly window: number
  /** Absent: as fast as the window allows. */
  readonly intervalMs?: number
}

export interface WriteResult {
  readonly writes: number
  readonly eventsPerSecond: number
  readonly p50DelayMs: number
  readonly p99DelayMs: number
  readonly serverCpuMicroseconds: number
  readonly generatorBusy: number
}

/** Writes to one object per connection, and waits until every watcher has seen every write. */
export async function runWrites(plan: Writes): Promise<WriteResult> {
  const { subject, deliveries, durationMs } = plan
  const serverBefore = usageOf(subject.processIds)
  const ownBefore = process.cpuUsage()
  const startedAt = performance.now()
  const writes = await new Writer(plan, startedAt + durationMs).run()
  const seconds = (performance.now() - startedAt) / 1000
  const own = process.cpuUsage(ownBefore)
  const cpuSeconds = usageOf(subject.processIds).cpuSeconds - serverBefore.cpuSeconds
  const { events } = deliveries
  const delays = deliveries.delaysMs()
  return {
    writes,
    eventsPerSecond: events / seconds,
    p50DelayMs: quantile(delays, 0.5),
    p99DelayMs: quantile(delays, 0.99),
    serverCpuMicroseconds: (cpuSeconds * 1e6) / events,
    generatorBusy: (own.user + own.system) / 1e6 / seconds,
  }
}

class Writer {
  readonly #plan: Writes
  readonly #deadline: number
  readonly #idle: number[]
  #sent = 0
  #isOver = false
  #finish: () => void = () => {}

  constructor(plan: Writes, deadline: number) {
    this.#plan = plan
    this.#deadline = deadline
    this.#idle = plan.writers.map((_, index) => index)
  }

  /** Resolves with the number of writes once all of them have been delivered. */
  async run(): Promise<number> {
    const { deliveries, intervalMs } = this.#plan
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    deliveries.onComplete = () => this.#advance()
    if (intervalMs === undefined) this.#sendAll()
    else await this.#sendEvery(intervalMs)
    await finished
    return this.#sent
  }

  async #sendEvery(intervalMs: number): Promise<void> {
    while (performance.now() < this.#deadline) {
      this.#sendOne()
      await sleep(intervalMs)
    }
    this.#isOver = true
    this.#advance()
  }

  #advance(): void {
    if (performance.now() >= this.#deadline) this.#isOver = true
    if (
      this.#isOver &&
      this.#plan.deliveries.complete === this.#sent &&
      this.#idle.length === this.#plan.writers.length
    ) {
      this.#finish()
    } else if (this.#plan.intervalMs === undefined) this.#sendAll()
  }

  #sendAll(): void {
    const { deliveries, window } = this.#plan
    while (!this.#isOver && this.#idle.length > 0 && this.#sent - deliveries.complete < window) this.#sendOne()
  }

  #sendOne(): void {
    const index = this.#idle.shift()
    const { subject, writers, deliveries } = this.#plan
    if (index === undefined) return
    const name = objectName(index)
    const request = requestBytes(subject, 'PUT', objectPath(name), configMap(name, performance.now()))
    this.#sent += 1
    writers[index]?.send(request, (answer) => {
      if (answer.status !== 200) throw new Error(`a write was answered ${answer.status}: ${answer.body()}`)
      deliveries.acknowledged(resourceVersionOf(answer.body()))
      this.#idle.push(index)
      this.#advance()
    })
  }
}
