import type { Readable } from 'node:stream'
import type { ApiBody } from './api-client.ts'

export interface WatchedEvent {
  readonly type: string
  readonly object: ApiBody
}

/** How a stream of events ended: regularly, as HTTP defines it, or cut off. */
export type WatchEnd = 'cleanly' | 'broken'

/** An open watch. Only whole lines count as events. */
export class Watching {
  readonly status: number
  readonly events: WatchedEvent[] = []
  readonly ended: Promise<WatchEnd>
  readonly #stop: AbortController
  onEvent: (event: WatchedEvent) => void = () => {}

  constructor(status: number, body: Readable, stop: AbortController) {
    this.status = status
    this.#stop = stop
    this.ended = this.#read(body)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.ended
  }

  async #read(body: Readable): Promise<WatchEnd> {
    let rest = ''
    try {
      for await (const chunk of body.setEncoding('utf8')) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#take(JSON.parse(line))
      }
      return rest === '' ? 'cleanly' : 'broken'
    } catch {
      return 'broken'
    }
  }

  #take(event: WatchedEvent): void {
    this.events.push(event)
    this.onEvent(event)
  }
}
