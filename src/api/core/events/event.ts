import { formatAge } from '../../human/age.ts'
import type { KubeObject } from '../../object.ts'
import type { Event, ObjectReference } from '../../types/core-v1.ts'
import { builtinKind, type TypedColumn } from '../builtin-kind.ts'
import { column, nameColumn, wideColumn } from '../columns.ts'
import { validateEvent } from './event-validation.ts'

export const event = builtinKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  hasNoDependents: true,
  message: 'k8s.io.api.core.v1.Event',
  selectableFields: {
    ...referenceFields('involvedObject', (object: Event) => object.involvedObject),
    reason: (object) => object.reason ?? '',
    reportingComponent: (object) => object.reportingComponent,
    source: (object) => object.source.component ?? object.reportingComponent,
    type: (object) => object.type ?? '',
  },
  columns: eventColumns((object: Event) => object),
  strategy: { validate: (object) => validateEvent(object, 'reportingComponent') },
})

/** Field selectors on each member of a reference. */
export function referenceFields<T>(
  name: string,
  reference: (object: T) => ObjectReference,
): Readonly<Record<string, (object: T) => string>> {
  const members = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const
  return Object.fromEntries(
    members.map((member) => [`${name}.${member}`, (object: T) => reference(object)[member] ?? '']),
  )
}

/** Both groups print the same columns; `stored` returns the stored form of an object. */
export function eventColumns<T extends KubeObject>(stored: (object: T) => Event): readonly TypedColumn<T>[] {
  return [
    column('Last Seen', 'Time since the event was last observed.', (object, nowMs) => lastSeen(stored(object), nowMs)),
    column('Type', 'Normal or Warning.', (object) => stored(object).type ?? ''),
    column('Reason', 'Reason for the event, in one word.', (object) => stored(object).reason ?? ''),
    column('Object', 'Object that the event is about.', (object) => targetOf(stored(object).involvedObject)),
    wideColumn('Subobject', 'Part of the object.', (object) => stored(object).involvedObject.fieldPath ?? ''),
    wideColumn('Source', 'Component that reported the event.', (object) => sourceOf(stored(object))),
    column('Message', 'Description of the event.', (object) => (stored(object).message ?? '').trim()),
    wideColumn('First Seen', 'Time since the event was first observed.', (object, nowMs) =>
      firstSeen(stored(object), nowMs),
    ),
    wideColumn('Count', 'Number of times the event was observed.', (object) => countOf(stored(object))),
    { ...nameColumn, priority: 1 },
  ]
}

function firstSeen({ firstTimestamp, eventTime }: Event, nowMs: number): string {
  return formatAge(firstTimestamp ?? eventTime, nowMs)
}

function lastSeen(object: Event, nowMs: number): string {
  if (object.series !== undefined) return formatAge(object.series.lastObservedTime, nowMs)
  return object.lastTimestamp === null ? firstSeen(object, nowMs) : formatAge(object.lastTimestamp, nowMs)
}

function countOf({ series, count = 1 }: Event): number {
  return series === undefined ? count : (series.count ?? 0)
}

function targetOf({ kind = '', name = '' }: ObjectReference): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`
}

function sourceOf({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component ?? reportingComponent
  const instance = source.host ?? reportingInstance
  return instance === '' ? component : `${component}, ${instance}`
}
