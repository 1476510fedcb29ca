import { ApiError, internalError, methodNotAllowed } from '../../api/error.ts'
import type { Random } from '../../base/random.ts'
import { type View, watchViewOf } from '../encode/view.ts'
import { revocationOf } from '../onward/passed-exchange.ts'
import { watchRequest } from '../options/list-options.ts'
import { jsonHeaders, protobufWatchHeaders } from '../responses/responses.ts'
import { type Call, namespaceTargetOf, pacingFor, type Verb } from './call.ts'
import { type EventEncoder, lineEncoder } from './event-encoder.ts'
import { EventStream } from './event-stream.ts'
import { frameEncoder } from './frame-encoder.ts'

const shortestDefaultMs = 30 * 60_000
const longestTimerMs = 2_147_483_647

/**
 * The head is sent as soon as there is an event, or after one iteration of the event loop without a refusal. A later
 * refusal is sent as an ERROR event.
 */
export const serveWatch: Verb = async (call) => {
  const { exchange, info, resource, services } = call
  // The deprecated path counts as a watch with any method, but only for authorization.
  if (info.legacyWatch && exchange.request.method !== 'GET') throw methodNotAllowed()
  const { options, timeoutSeconds } = watchRequest(info)
  const view = watchViewOf(exchange, resource.kind, options.sendInitialEvents === true && options.allowWatchBookmarks)
  const timeoutMs = timeoutSeconds === undefined ? defaultTimeoutMs(services.random) : timeoutSeconds * 1000
  // The watch ends with its client and with the access key that opened it.
  const cuts = [exchange.request.signal, ...revocationOf(exchange)]
  const lifetime = services.watches.open(cuts, Math.min(timeoutMs, longestTimerMs))
  const encoder = encoderFor(call, view)
  const stream = new EventStream({
    encoder,
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
  await Promise.race([stream.started(), ended, nextTurn()])
  ended.then(
    () => stream.finish(),
    (error: unknown) => stream.finish(encoder.error(refusal(error).status)),
  )
  return { status: 200, headers: view.media.format === 'protobuf' ? protobufWatchHeaders : jsonHeaders, body: stream }
}

function encoderFor({ resource: { kind }, services }: Call, view: View): EventEncoder {
  const { media } = view
  return media.format === 'protobuf'
    ? frameEncoder(kind, media, services.watches.frames)
    : lineEncoder(kind, view, { nowMs: () => services.clock.now(), frames: services.watches.frames })
}

/** Spread out, so that watchers that came together do not all return together. */
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
