import type { ServerHttp2Stream } from 'node:http2'
import type { TenantMessage } from '../../api/link.ts'
import { controlLimits } from '../../api/link-limits.ts'
import { limitedLines } from '../../base/json/limited-lines.ts'
import type { LinkProblem } from './contract.ts'
import { endedBy, keyRefusedBy } from './problem.ts'

export interface ControlListener {
  readonly onEnded: (problem: LinkProblem) => void
  readonly onRefusedKey: (problem: LinkProblem) => void
  /** Called when the platform sends too much. */
  readonly onExcess: (problem: LinkProblem) => void
  readonly now: () => number
}

/** Messages between tenant and platform about the link itself. The platform opens the stream. */
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
    limitedLines(stream, {
      ...controlLimits,
      now: this.#listener.now,
      take: ({ type, reason, message, returnWithinMs }) => {
        if (type === 'ended') this.#listener.onEnded(endedBy(reason, message, returnWithinMs))
        else if (type === 'refused') this.#listener.onRefusedKey(keyRefusedBy(reason, message))
      },
      onExcess: (problem) =>
        this.#listener.onExcess({
          reason: 'PlatformError',
          message: `the platform sends too much on the link: ${problem}`,
        }),
    })
  }

  /** Queued until the stream is open. */
  say(message: TenantMessage): void {
    if (this.#stream === undefined) this.#waiting.push(message)
    else if (!this.#stream.destroyed) this.#stream.write(`${JSON.stringify(message)}\n`)
  }
}
