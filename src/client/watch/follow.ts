import { Pace } from '../../base/pace.ts'
import { refusalOf } from '../answer-body.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import type { ResourceType, Selection } from '../contract.ts'
import { maxObjectBytes } from '../received-json.ts'
import { collectionPath, selectionQuery, withQuery } from '../resource-path.ts'
import type { Transport } from '../transport/contract.ts'
import { withDeadline } from '../transport/deadline.ts'
import { type ReceivedEvent, readEvent } from './events.ts'
import { LineReader } from './lines.ts'

/** An object with the event around it. */
const maxLineBytes = maxObjectBytes + 1024
/** How much longer than requested a server may take to end a watch before the connection counts as dead. */
const graceMs = 10_000

export interface FollowOptions extends Selection {
  readonly resourceVersion: string
  readonly seconds: number
  onOpen(): void
  /** Whether the state of an object at this version is already known. */
  isKnown(resourceVersion: string): boolean
  /** Called with events that arrived together. The next are read when it returns. */
  onEvents(events: readonly ReceivedEvent[]): void
}

/** One watch, until the server ends it. */
export async function followChanges(
  transport: Transport,
  type: ResourceType,
  options: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  const late = () => new ConnectionError(`${transport.origin} fell silent in the middle of a watch`)
  await withDeadline(
    { ms: options.seconds * 1000 + Math.min(graceMs, options.seconds * 1000), late, signal },
    (limited) => readWatch(transport, type, options, limited),
  )
}

async function readWatch(transport: Transport, type: ResourceType, options: FollowOptions, signal: AbortSignal) {
  const query = {
    ...selectionQuery(options),
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: options.resourceVersion,
    timeoutSeconds: String(options.seconds),
  }
  const path = withQuery(collectionPath(type, options.namespace), query)
  const answer = await transport.open({ method: 'GET', path }, signal)
  if (answer.status !== 200) throw refusalOf({ ...answer, body: await answer.body() }, transport.origin)
  options.onOpen()
  const lines = new LineReader(maxLineBytes)
  const pace = new Pace()
  for await (const chunk of answer.chunks) {
    const events = lines.read(chunk).map((line) => readEvent(line, type, options.isKnown))
    if (events.length > 0) options.onEvents(events)
    await pace.step()
  }
}
