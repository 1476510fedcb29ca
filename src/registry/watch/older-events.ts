import { Pace } from '../../base/pace.ts'
import { RevisionCompacted, type StoreChange } from '../../storage/contract.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import type { ObjectSelection } from '../selection.ts'
import { relativeKey } from '../storage-key.ts'
import { maxChangedBytes, snapshotAt } from '../stored-snapshot.ts'
import { ChangeEvent } from './event.ts'
import { visibleEvent } from './visible.ts'

export interface OlderEvents {
  readonly events: readonly ChangeEvent[]
  /** The history in memory continues from here. */
  readonly upTo: number
}

/**
 * Reads events from the store after a revision that the history in memory no longer covers: after a restart, or for a
 * watcher that was away for long. Throws RevisionCompacted if the store has dropped them too, or if they are larger
 * than the current state.
 */
export async function olderEvents(
  context: ResourceContext,
  selection: ObjectSelection,
  after: number,
  options: { readonly signal: AbortSignal; readonly seesPart: boolean },
): Promise<OlderEvents> {
  if (context.cache.history.reachesBackTo(after)) return { events: [], upTo: after }
  const { signal, seesPart } = options
  return context.snapshots.reading({ seesPart }).run(() => readOlderEvents(context, selection, after, signal))
}

async function readOlderEvents(
  context: ResourceContext,
  selection: ObjectSelection,
  after: number,
  signal: AbortSignal,
): Promise<OlderEvents> {
  const told: Told = { events: [], documents: new Map(), bytes: 0 }
  let upTo = after
  while (!context.cache.history.reachesBackTo(upTo) && !signal.aborted) {
    if (upTo === after) told.documents = new Map((await snapshotAt(context, after)).documents.entries())
    upTo = await readUpTo(context, selection, upTo, told)
  }
  return { events: told.events, upTo }
}

interface Told {
  readonly events: ChangeEvent[]
  /** The objects after the events. */
  documents: Map<string, StoredDocument>
  /** The size of all changes of the kind. */
  bytes: number
}

/**
 * Follows the whole store: a revision that concerns only other kinds counts as reached too. Stops at the feed's
 * revision: the store may be ahead of it, and the feed delivers the rest.
 */
async function readUpTo(
  context: ResourceContext,
  selection: ObjectSelection,
  after: number,
  told: Told,
): Promise<number> {
  const { cache, engine } = context
  const goal = engine.feed.revision
  const reading = new AbortController()
  const pace = new Pace()
  let upTo = after
  for await (const batch of engine.store.watch('', { afterRevision: after, signal: reading.signal })) {
    const ours = batch.changes.filter(({ key, revision }) => revision <= goal && key.startsWith(cache.prefix))
    for (const change of ours) {
      told.bytes += change.value.length
      if (told.bytes > maxChangedBytes) throw new RevisionCompacted(after, goal)
      const seen = visibleEvent(selection, applied(told.documents, change, cache.document(change)))
      if (seen !== undefined) told.events.push(seen)
      await pace.step()
    }
    upTo = Math.min(batch.revision, goal)
    if (upTo >= goal) reading.abort()
  }
  return upTo
}

function applied(documents: Map<string, StoredDocument>, change: StoreChange, document: StoredDocument): ChangeEvent {
  const key = relativeKey(document)
  const previous = documents.get(key)
  if (change.type === 'deleted') {
    documents.delete(key)
    return new ChangeEvent('DELETED', document, previous)
  }
  documents.set(key, document)
  return new ChangeEvent(previous === undefined ? 'ADDED' : 'MODIFIED', document, previous)
}
