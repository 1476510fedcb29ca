/** k8s.io.api.events.v1 */
export const eventsV1 = `
Event
  1 metadata: meta.ObjectMeta
  2 eventTime: meta.MicroTime! (required)
  3 series: EventSeries
  4 reportingController: string
  5 reportingInstance: string
  6 action: string
  7 reason: string
  8 regarding: core.ObjectReference!
  9 related: core.ObjectReference
  10 note: string
  11 type: string
  12 deprecatedSource: core.EventSource!
  13 deprecatedFirstTimestamp: meta.Time!
  14 deprecatedLastTimestamp: meta.Time!
  15 deprecatedCount: int32

EventList
  1 metadata: meta.ListMeta
  2 items: Event[]!

EventSeries
  1 count: int32! (required)
  2 lastObservedTime: meta.MicroTime! (required)
`
