import type { Duplex } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, Response } from '../http.ts'
import type { Limits } from '../limits.ts'
import { Bodies } from './bodies.ts'
import { flowOf, type KnownFlow } from './flow.ts'
import { Gate } from './gate.ts'
import { Intake } from './intake.ts'
import { isLongRunning, LongRunning } from './long-running.ts'
import { LoopTurn } from './loop-turn.ts'
import { Newcomers } from './newcomers.ts'
import { PassedStreams } from './passed-streams.ts'
import type { UnreadMemory } from './unread-memory.ts'

export interface FairnessOptions {
  readonly limits: Limits
  /** For durations. */
  readonly elapsed: Clock
  /** Memory held for readers that are behind. */
  readonly unread: UnreadMemory
  readonly knownFlow?: KnownFlow | undefined
  readonly isAdministrator?: ((exchange: Exchange) => boolean) | undefined
}

const strangersBodies = { bodiesPerOwner: 16, bodies: 256, bytes: 4 * 1024 * 1024 }
const bodiesOfAll = 4_096
/** A larger answer waits in memory for its reader, who keeps the place until then. */
const soonTakenBytes = 256 * 1024

/** Keeps one caller from using up what others need: turns and places, memory for bodies, and long-running requests. */
export class Fairness {
  readonly intake: Intake
  readonly gate: Gate
  readonly bodies: Bodies
  readonly longRunning: LongRunning
  readonly #passed: PassedStreams
  readonly #knownFlow: KnownFlow | undefined

  constructor(options: FairnessOptions) {
    const { limits, knownFlow } = options
    const turn = new LoopTurn(limits.msPerTurn)
    this.intake = new Intake(turn, new Newcomers(limits.newcomersPerTurn))
    this.gate = new Gate({ ...options, turn })
    this.longRunning = new LongRunning(limits)
    this.#passed = new PassedStreams(options.unread)
    this.bodies = new Bodies({
      callers: {
        bodiesPerOwner: limits.maxBodiesPerCaller,
        bodies: bodiesOfAll,
        bytes: limits.maxBodyMemoryBytes,
      },
      strangers: strangersBodies,
      knownFlow,
    })
    this.#knownFlow = knownFlow
  }

  readonly readBody = (exchange: Exchange, limit: BodyLimit): Promise<Buffer> => this.bodies.read(exchange, limit)

  /** A pipeline step; no work is done before it. */
  readonly admit = (exchange: Exchange): undefined | Promise<undefined> => {
    if (!isLongRunning(exchange)) return this.gate.pass(exchange, true)
    exchange.leave = this.longRunning.begin(flowOf(exchange, this.#knownFlow))
    return this.gate.pass(exchange, false)
  }

  /** An answer that was ready before the request was admitted, such as a refusal, waits for its caller's turn. */
  readonly turn = (exchange: Exchange): undefined | Promise<undefined> => this.gate.pass(exchange, false)

  /** The same response; sending it releases what the request holds, as soon as it can be reused. */
  readonly release = (exchange: Exchange, response: Response): Response => {
    const { leave, request } = exchange
    const { body } = response
    const owner = exchange.flow?.owner ?? ''
    const isPassed = !Buffer.isBuffer(body) && body.form !== 'pieces' && body.source !== undefined
    if (isPassed) this.#passed.add(owner, body.source)
    if (leave === undefined) return response
    if ((Buffer.isBuffer(body) && body.length <= soonTakenBytes) || request.method === 'HEAD') {
      leave()
      return response
    }
    if (Buffer.isBuffer(body) || body.form !== 'upgrade') {
      onAbort(request.signal, leave)
      return response
    }
    const { start, giveUp } = body
    return {
      ...response,
      body: {
        ...body,
        start: (connection: Duplex) => {
          connection.once('close', leave)
          if (isPassed) this.#passed.add(owner, connection)
          start(connection)
        },
        giveUp: () => {
          leave()
          giveUp()
        },
      },
    }
  }

  stop(): void {
    this.gate.stop()
    this.#passed.stop()
  }
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
