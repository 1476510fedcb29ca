import type { ObjectSelection } from '../selection.ts'
import type { ChangeEvent } from './event.ts'

/**
 * A change as a watcher with a selector sees it: an object that starts to match has been added, one that stops to match
 * has been deleted (with its old content and the new revision). Watchers may be many, so each form is made once.
 */
export function visibleEvent(selection: ObjectSelection, event: ChangeEvent): ChangeEvent | undefined {
  if (selection.everything) return event
  const matches = event.type !== 'DELETED' && selection.matches(event.document)
  const matched = event.previous !== undefined && selection.matches(event.previous)
  if (matches) return matched || event.type === 'ADDED' ? event : event.entering
  if (!matched) return undefined
  return event.type === 'DELETED' ? event : event.leaving
}

export function visibleEvents(selection: ObjectSelection, events: readonly ChangeEvent[]): readonly ChangeEvent[] {
  if (selection.everything) return events
  return events.map((event) => visibleEvent(selection, event)).filter((event) => event !== undefined)
}
