import { ApiError, internalError } from '../../api/error.ts'
import type { Random } from '../../base/random.ts'
import { viewOf } from '../encode/view.ts'
import type { Exchange } from '../exchange.ts'
import { watchRequest } from '../options/list-options.ts'
import { jsonHeaders } from '../responses.ts'
import { namespaceTargetOf, pacingFor, type Verb } from './call.ts'
import { errorLine, eventEncoder } from './event-encoder.ts'
import { EventStream } from './event-stream.ts'

const shortestDefaultMs = 30 * 60_000
const longestTimerMs = 2_147_483_647

/**
 * The head goes out as soon as there is an event, or after one turn of the event loop without a refusal. A refusal that
 * comes later is told as an ERROR event.
 */
export const serveWatch: Verb = async (call) => {
  const { exchange, info, resource, services } = call
  const view = viewOf(exchange)
  const { options, timeoutSeconds } = watchRequest(info)
  const timeoutMs = timeoutSeconds === undefined ? defaultTimeoutMs(services.random) : timeoutSeconds * 1000
  const lifetime = services.watches.open(cutsOf(exchange), Math.min(timeoutMs, longestTimerMs))
  const stream = new EventStream({
    encoder: eventEncoder(resource.kind, view, () => services.clock.now()),
    queue: services.watches.queue,
    count: services.watches.countEvents,
    openMemory: (cut) => services.watches.unread.open(exchange.flow?.owner ?? '', cut),
  })
  const { signal, endingSoon } = lifetime
  const ended = resource
    .watch(
      namespaceTargetOf(call),
      { ...options, user: exchange.user, signal, endingSoon, pacing: pacingFor(call) },
      stream,
    )
    .finally(lifetime.release)
  await Promise.race([ended, stream.started(), nextTurn()])
  ended.then(
    () => stream.finish(),
    (error: unknown) => stream.finish(errorLine(refusal(error).status)),
  )
  return { status: 200, headers: jsonHeaders, body: stream }
}

/** A watch outlives neither its client nor the access key that opened it. */
function cutsOf({ request, user }: Exchange): readonly AbortSignal[] {
  return user.credential === undefined ? [request.signal] : [request.signal, user.credential.revoked]
}

/** Spread out, so that watchers that came together do not all come back together. */
function defaultTimeoutMs(random: Random): number {
  const [first = 0, second = 0] = random.bytes(2)
  return shortestDefaultMs * (1 + (first * 256 + second) / 65_536)
}

function refusal(error: unknown): ApiError {
  return error instanceof ApiError ? error : internalError('the watch ended unexpectedly')
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
