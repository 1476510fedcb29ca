import { gone } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import { RevisionCompacted } from '../../storage/contract.ts'
import type { Snapshot } from '../cache.ts'
import type { ResourceContext } from '../context.ts'
import type { Target, VisibilityChanges, WatchEvent, WatchOptions, WatchSink } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp, notOlderThan } from '../freshness.ts'
import { type ObjectSelection, parseSelection } from '../selection.ts'
import { listVisibilityFor } from '../visibility.ts'
import type { BeginningPart, NextPart } from '../watch/beginnings.ts'
import { ChangeEvent } from '../watch/event.ts'
import { olderEvents } from '../watch/older-events.ts'
import { visibleEvent } from '../watch/visible.ts'
import { Watcher } from '../watch/watcher.ts'
import { checkWatchOptions, parseResourceVersion } from './read-options.ts'

/** The number and size of initial events that are passed on at a time. */
const chunkSize = 500
const chunkBytes = 128 * 1024

/** What a watch shows, and when that changes. */
interface Shown {
  readonly selection: ObjectSelection
  readonly changes: VisibilityChanges | undefined
}

export async function watchObjects(
  context: ResourceContext,
  target: Target,
  options: WatchOptions,
  sink: WatchSink,
): Promise<void> {
  checkWatchOptions(options)
  const visibility = await listVisibilityFor(context, 'watch', target.namespace, options)
  const selection = parseSelection(context.kind, target.namespace, options, visibility)
  const revision = parseResourceVersion(options.resourceVersion)
  const startsWithState = options.sendInitialEvents ?? (revision === undefined || revision === 0)
  const start = startsWithState ? startFromState : startFromRevision
  const watcher = await start(context, { selection, changes: visibility?.changes }, revision, options, sink)
  await watcher?.ended
}

/**
 * Like `startFromRevision`, resolves when the initial events have been sent, so that nothing retains them while the
 * watch lasts.
 */
async function startFromState(
  context: ResourceContext,
  shown: Shown,
  revision: number | undefined,
  options: WatchOptions,
  sink: WatchSink,
): Promise<Watcher> {
  if (revision === undefined) await caughtUp(context.engine)
  else await notOlderThan(context.engine, revision)
  const end: WatchEvent = {
    type: 'BOOKMARK',
    resourceVersion: String(context.engine.feed.revision),
    initialEventsEnd: true,
  }
  const state = stateEvents(context, shown.selection)
  return begun(context, shown, options, sink, options.allowWatchBookmarks ? followedBy(state, [end]) : state)
}

/** Undefined if the revision is too old: the receiver has been informed. */
async function startFromRevision(
  context: ResourceContext,
  shown: Shown,
  revision: number | undefined,
  options: WatchOptions,
  sink: WatchSink,
): Promise<Watcher | undefined> {
  if (revision === undefined || revision === 0) await caughtUp(context.engine)
  else await context.engine.feed.reached(revision, options.signal)
  // Starting at any state means starting now, if the state itself is not requested.
  const after = revision || context.engine.feed.revision
  try {
    // Checked before older events are read: reading takes long, and would be wasted.
    requireShownSince(shown, after)
    const { signal } = options
    const older = await olderEvents(context, shown.selection, after, {
      signal,
      seesPart: shown.changes !== undefined,
    })
    requireShownSince(shown, after)
    const recent = context.cache.history.after(older.upTo)
    const beginning = inChunks(chained(older.events, visibleAmong(shown.selection, recent)))
    return await begun(context, shown, options, sink, beginning)
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error
    const { status } = gone(`too old resource version: ${after} (${error.oldest})`)
    sink.send([{ type: 'ERROR', status }])
    return undefined
  }
}

function* chained(first: Iterable<ChangeEvent>, then: Iterable<ChangeEvent | undefined>) {
  yield* first
  yield* then
}

/** Computed lazily: a field selector parses every object. */
function* visibleAmong(selection: ObjectSelection, events: readonly ChangeEvent[]) {
  for (const event of events) yield visibleEvent(selection, event)
}

/**
 * Some receivers compute a separate form of each event, so other work gets its turn between chunks. `undefined` stands
 * for an invisible event, which took time all the same.
 */
function* inChunks(events: Iterable<ChangeEvent | undefined>): Generator<readonly WatchEvent[]> {
  let chunk: ChangeEvent[] = []
  let bytes = 0
  let pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY })
  for (const event of events) {
    if (event !== undefined) chunk.push(event)
    bytes += event?.document.bytes ?? 0
    if (chunk.length < chunkSize && bytes < chunkBytes && !pace.isDue()) continue
    yield chunk
    chunk = []
    bytes = 0
    pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY })
  }
  yield chunk
}

/**
 * Changes in visibility since then would never be reported, so the client must list again, as if the history were lost.
 */
function requireShownSince({ changes }: Shown, revision: number): void {
  const latest = changes?.latest() ?? 0
  if (revision < latest) throw new RevisionCompacted(revision, latest)
}

/**
 * Subscribes to live events in the same turn in which the initial state was fixed, so that there is neither gap nor
 * overlap.
 */
async function begun(
  context: ResourceContext,
  { selection, changes }: Shown,
  options: WatchOptions,
  sink: WatchSink,
  beginning: Iterator<readonly WatchEvent[]>,
): Promise<Watcher> {
  const watcher = new Watcher(sink, options.allowWatchBookmarks, options.signal)
  context.hub.join(selection, watcher)
  const stop = changes?.listen(() => watcher.end())
  if (stop !== undefined) void watcher.ended.then(stop)
  if (options.allowWatchBookmarks) {
    options.endingSoon?.addEventListener('abort', () => context.hub.offerBookmark(selection, watcher), { once: true })
  }
  try {
    await watcher.begin(beginning, options.pacing ?? new Pace())
  } catch (error) {
    watcher.end()
    throw error
  }
  return watcher
}

/**
 * Events for the current state, in several parts if finding them takes too long. Watchers that see all of it share
 * them.
 */
function stateEvents(context: ResourceContext, selection: ObjectSelection): Generator<readonly WatchEvent[]> {
  const { engine, cache, hooks } = context
  const documents = selection.among(cache).clone()
  const next = (afterKey: string | undefined) => nextPart(documents, context, selection, afterKey)
  if (selection.isSelective || hooks.present !== undefined) return partsOneByOne(next)
  return engine.beginnings.begin(cache, selection.id, next)
}

function* partsOneByOne(next: NextPart): Generator<readonly WatchEvent[]> {
  let afterKey: string | undefined
  do {
    const part = next(afterKey)
    afterKey = part.afterKey
    yield part.events
  } while (afterKey !== undefined)
}

function nextPart(
  documents: Snapshot,
  { hooks: { present = asStored } }: ResourceContext,
  selection: ObjectSelection,
  startsAfter: string | undefined,
): BeginningPart {
  const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY })
  const matching: StoredDocument[] = []
  let bytes = 0
  const take = (_: string, document: StoredDocument): boolean => {
    bytes += document.bytes
    return matching.push(document) > 0
  }
  const isTimeToRest = (): boolean => matching.length >= chunkSize || bytes >= chunkBytes || pace.isDue()
  const afterKey = selection.scan(documents, startsAfter, take, isTimeToRest)
  const event = (document: StoredDocument) => new ChangeEvent('ADDED', present(document), undefined, { isForOne: true })
  return { events: matching.map(event), bytes, afterKey }
}

function asStored(document: StoredDocument): StoredDocument {
  return document
}

function* followedBy<T>(first: Generator<T>, last: T): Generator<T> {
  yield* first
  yield last
}
