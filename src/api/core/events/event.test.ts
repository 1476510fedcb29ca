import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import type { Event } from '../../types/core-v1.ts'
import type { Event as EventsV1Event } from '../../types/events-v1.ts'
import { event } from './event.ts'
import { eventsV1Event, fromEventsV1, toEventsV1 } from './events-v1.ts'

const metadata = { name: 'e', namespace: 'default' }
const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' }
const now = Date.parse('2026-01-01T01:00:00Z')
const newStyle = {
  metadata,
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Start',
  reason: 'Started',
  type: 'Normal',
  regarding: involvedObject,
  note: ' hello ',
}
const stored: Event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata,
  involvedObject,
  reason: 'Started',
  message: 'hello',
  source: { component: 'kubelet', host: 'n1' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:55:00Z',
  count: 3,
  type: 'Normal',
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}

describe('Event of core/v1', () => {
  it('shows what every event shows', () => {
    expect(previewCreate(event, { metadata, involvedObject }).object).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      involvedObject,
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    })
  })

  it.each([
    [
      'elsewhere',
      { involvedObject: { namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
    ['about a cluster-scoped object', { involvedObject: { kind: 'Node' } }, []],
    [
      'about one, in its own namespace',
      { metadata: { name: 'e', namespace: 'x' }, involvedObject: {} },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
    [
      'of the new style with nothing else',
      { involvedObject, eventTime: '2026-01-01T00:00:00.000000Z' },
      [
        'reportingComponent: Required value',
        'reportingComponent: Invalid value: "": name part must be non-empty',
        expect.stringContaining('reportingComponent: Invalid value: "": name part must consist of'),
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    ],
  ])('%s', (_, body, errors) => {
    expect(errorTexts(previewCreate(event, { metadata, ...body }))).toEqual(errors)
  })

  it.each([
    ['old style', stored, ['5m', 'Normal', 'Started', 'pod/p', '', 'kubelet, n1', 'hello', '60m', 3, 'e']],
    [
      'new style',
      fromEventsV1(asEventsV1(newStyle)),
      ['60m', 'Normal', 'Started', 'pod/p', '', 'example.com/c, c-1', 'hello', '60m', 1, 'e'],
    ],
    [
      'a series',
      { ...stored, series: { count: 9, lastObservedTime: '2026-01-01T00:59:00.000000Z' } },
      ['60s', 'Normal', 'Started', 'pod/p', '', 'kubelet, n1', 'hello', '60m', 9, 'e'],
    ],
  ])('prints events of %s', (_, object, cells) => {
    expect(event.columns?.map((each) => each.value(object, now))).toEqual(cells)
  })

  it('can be selected by the object that it is about', () => {
    const found = Object.fromEntries(
      Object.entries(event.selectableFields ?? {}).map(([name, value]) => [name, value(stored)]),
    )
    expect(found).toMatchObject({
      'involvedObject.name': 'p',
      'involvedObject.uid': '',
      source: 'kubelet',
      type: 'Normal',
    })
    expect(Object.keys(found)).toHaveLength(11)
  })
})

describe('Event of events.k8s.io/v1', () => {
  it('shows the count of a series that has none', () => {
    const { object } = previewCreate(event, { metadata, involvedObject, series: { lastObservedTime: null } })
    expect(toEventsV1(object as Event).series).toEqual({ count: 0, lastObservedTime: null })
  })

  it('has the fields of core/v1 under their new names', () => {
    expect(fromEventsV1(toEventsV1(stored))).toEqual(stored)
    const other = asEventsV1(newStyle)
    expect(toEventsV1(fromEventsV1(other))).toEqual(other)
    expect(toEventsV1(stored)).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: involvedObject,
      note: 'hello',
      deprecatedCount: 3,
      deprecatedSource: { component: 'kubelet' },
    })
  })

  it('is kept as an event of core/v1', () => {
    const { storedAs } = eventsV1Event
    expect(storedAs).toMatchObject({ group: event.group, plural: event.plural })
    expect(storedAs?.fromStored(stored)).toEqual(toEventsV1(stored))
    expect(storedAs?.toStored(toEventsV1(stored))).toEqual(stored)
  })

  it.each([
    ['a good one', {}, []],
    [
      'one with leftovers of the old style',
      { deprecatedCount: 1, deprecatedSource: { host: 'a' }, deprecatedLastTimestamp: '2026-01-01T00:00:00Z' },
      [
        'lastTimestamp: Invalid value: "": needs to be unset',
        'count: Invalid value: "": needs to be unset',
        'source: Invalid value: "": needs to be unset',
      ],
    ],
    [
      'one of no type, too long',
      { type: 'Odd', note: 'x'.repeat(1025), series: { count: 1 } },
      [
        'message: Invalid value: "": can have at most 1024 characters',
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
        'type: Invalid value: "": has invalid value: Odd',
      ],
    ],
  ])('validates %s', (_, change, errors) => {
    expect(errorTexts(previewCreate(eventsV1Event, { ...newStyle, ...change }))).toEqual(errors)
  })

  it('changes only in its series', () => {
    const old = asEventsV1(newStyle)
    const series = { count: 2, lastObservedTime: '2026-01-01T00:10:00.000000Z' }
    expect(errorTexts(previewUpdate(eventsV1Event, { ...newStyle, series }, old))).toEqual([])
    expect(
      errorTexts(previewUpdate(eventsV1Event, { ...newStyle, reason: 'Other', reportingController: 'c' }, old)),
    ).toEqual([
      'reason: Invalid value: "Other": field is immutable',
      'reason: Invalid value: "Other": field is immutable',
      'reportingController: Invalid value: "c": field is immutable',
    ])
  })

  it('can be updated even if it was written in the old format', () => {
    const leftovers = { ...newStyle, deprecatedCount: 3, type: 'Odd' }
    expect(errorTexts(previewUpdate(eventsV1Event, leftovers, asEventsV1(leftovers)))).toEqual([])
    expect(
      errorTexts(previewUpdate(eventsV1Event, { ...leftovers, deprecatedCount: 4 }, asEventsV1(leftovers))),
    ).toEqual(['count: Invalid value: 4: field is immutable'])
  })

  it('prints the same columns', () => {
    const cells = eventsV1Event.columns?.map((each) => each.value(toEventsV1(stored), now))
    expect(cells).toEqual(event.columns?.map((each) => each.value(stored, now)))
  })
})

function asEventsV1(body: object): EventsV1Event {
  const { object } = previewCreate(eventsV1Event, { ...body })
  const isEvent = (each: typeof object): each is EventsV1Event => each.apiVersion === 'events.k8s.io/v1'
  if (!isEvent(object)) throw new Error('The kind makes events.')
  return object
}
