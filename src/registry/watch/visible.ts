import type { KubeObject } from '../../api/object.ts'
import type { StoredDocument } from '../document.ts'
import type { ObjectSelection, ReadObject } from '../selection.ts'
import type { ChangeEvent } from './event.ts'

/**
 * A change as a watcher with a selector sees it: an object that starts to match is added, and one that stops matching
 * is deleted (with its old content and the new revision). There may be many watchers, so each form is made once.
 */
export function visibleEvent(
  selection: ObjectSelection,
  event: ChangeEvent,
  read?: ReadObject,
): ChangeEvent | undefined {
  if (selection.everything) return event
  const matches = event.type !== 'DELETED' && selection.matches(event.document, read)
  const matched = event.previous !== undefined && selection.matches(event.previous, read)
  if (matches) return matched || event.type === 'ADDED' ? event : event.entering
  if (!matched) return undefined
  return event.type === 'DELETED' ? event : event.leaving
}

/**
 * What each selection sees of the changes; undefined for one that fails. Each state of an object is parsed once,
 * however many selections need it.
 */
export function visibleToEach(
  selections: readonly ObjectSelection[],
  events: readonly ChangeEvent[],
): readonly (readonly ChangeEvent[] | undefined)[] {
  const visible = selections.map((): ChangeEvent[] | undefined => [])
  for (const event of events) {
    const read = parsingOnce()
    for (const [index, selection] of selections.entries()) {
      try {
        const seen = visibleEvent(selection, event, read)
        if (seen !== undefined) visible[index]?.push(seen)
      } catch {
        visible[index] = undefined
      }
    }
  }
  return visible
}

function parsingOnce(): ReadObject {
  const known = new Map<StoredDocument, KubeObject>()
  return (document) => {
    const object = known.get(document) ?? document.object
    known.set(document, object)
    return object
  }
}
