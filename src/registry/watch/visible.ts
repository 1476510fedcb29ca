import type { ObjectSelection } from '../selection.ts'
import { ChangeEvent } from './event.ts'

/**
 * A change as a watcher with a selector sees it: an object that starts to match has been added, one that stops to match
 * has been deleted (with its old content and the new revision).
 */
export function visibleEvent(selection: ObjectSelection, event: ChangeEvent): ChangeEvent | undefined {
  if (selection.everything) return event
  const matches = event.type !== 'DELETED' && selection.matches(event.document)
  const matched = event.previous !== undefined && selection.matches(event.previous)
  if (matches) return matched || event.type === 'ADDED' ? event : new ChangeEvent('ADDED', event.document, undefined)
  if (!matched) return undefined
  return event.type === 'DELETED'
    ? event
    : new ChangeEvent('DELETED', event.previous.at(event.revision), event.previous)
}

export function visibleEvents(selection: ObjectSelection, events: readonly ChangeEvent[]): readonly ChangeEvent[] {
  if (selection.everything) return events
  return events.map((event) => visibleEvent(selection, event)).filter((event) => event !== undefined)
}
