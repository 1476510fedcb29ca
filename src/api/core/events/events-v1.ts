import type { Event } from '../../types/core-v1.ts'
import type { Event as EventsV1Event } from '../../types/events-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { eventColumns, referenceFields } from './event.ts'
import { validateEvent, validateStrictEvent, validateStrictEventUpdate } from './event-validation.ts'

export const eventsV1Event = builtinKind<EventsV1Event>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  allowsCreateOnUpdate: true,
  hasNoDependents: true,
  message: 'k8s.io.api.events.v1.Event',
  storedAs: { group: '', plural: 'events', toStored: fromEventsV1, fromStored: toEventsV1 },
  selectableFields: {
    ...referenceFields('regarding', (object: EventsV1Event) => object.regarding),
    reason: (object) => object.reason ?? '',
    reportingController: (object) => object.reportingController ?? '',
    type: (object) => object.type ?? '',
  },
  columns: eventColumns(fromEventsV1),
  strategy: {
    validate: (object) => validateEvent(fromEventsV1(object), 'reportingController'),
    validateSchema: (object, old) => (old === undefined ? validateStrictEvent(fromEventsV1(object)) : []),
    validateUpdate: (object, old) => validateStrictEventUpdate(fromEventsV1(object), fromEventsV1(old)),
  },
})

/** The event as stored in core/v1. */
export function fromEventsV1(object: EventsV1Event): Event {
  const {
    regarding,
    note,
    reportingController = '',
    reportingInstance = '',
    deprecatedSource = {},
    deprecatedFirstTimestamp = null,
    deprecatedLastTimestamp = null,
    deprecatedCount,
    ...same
  } = object
  return {
    ...same,
    apiVersion: 'v1',
    involvedObject: regarding,
    ...(note === undefined ? {} : { message: note }),
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    ...(deprecatedCount === undefined ? {} : { count: deprecatedCount }),
    reportingComponent: reportingController,
    reportingInstance,
  }
}

/** The event as `events.k8s.io/v1` shows it. */
export function toEventsV1(object: Event): EventsV1Event {
  const { involvedObject, message, source = {}, firstTimestamp = null, lastTimestamp = null, count, ...rest } = object
  const { reportingComponent = '', reportingInstance = '', series, ...same } = rest
  return {
    ...same,
    apiVersion: 'events.k8s.io/v1',
    regarding: involvedObject,
    ...(message === undefined ? {} : { note: message }),
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    ...(count === undefined ? {} : { deprecatedCount: count }),
    ...(reportingComponent === '' ? {} : { reportingController: reportingComponent }),
    ...(reportingInstance === '' ? {} : { reportingInstance }),
    ...(series === undefined ? {} : { series: { count: 0, ...series } }),
  }
}
