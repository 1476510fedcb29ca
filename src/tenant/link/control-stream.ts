import type { ServerHttp2Stream } from 'node:http2'
import type { TenantMessage } from '../../api/link.ts'
import { onLines } from '../../base/json/lines.ts'
import type { LinkProblem } from './contract.ts'
import { endedBy, keyRefusedBy } from './problem.ts'

export interface ControlListener {
  readonly onEnded: (problem: LinkProblem) => void
  readonly onRefusedKey: (problem: LinkProblem) => void
}

/** What tenant and platform tell each other about the link itself. The platform opens the stream. */
export class ControlStream {
  readonly #listener: ControlListener
  #stream: ServerHttp2Stream | undefined
  #waiting: TenantMessage[] = []

  constructor(listener: ControlListener) {
    this.#listener = listener
  }

  get isOpen(): boolean {
    return this.#stream !== undefined
  }

  open(stream: ServerHttp2Stream): void {
    stream.respond({ ':status': 200 })
    this.#stream = stream
    for (const message of this.#waiting.splice(0)) this.say(message)
    onLines(stream, ({ type, reason, message }) => {
      if (type === 'ended') this.#listener.onEnded(endedBy(reason, message))
      else if (type === 'refused') this.#listener.onRefusedKey(keyRefusedBy(reason, message))
    })
  }

  /** Waits for the stream if there is none yet. */
  say(message: TenantMessage): void {
    if (this.#stream === undefined) this.#waiting.push(message)
    else if (!this.#stream.destroyed) this.#stream.write(`${JSON.stringify(message)}\n`)
  }
}
