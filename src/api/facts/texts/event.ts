/** Descriptions of events, in both of their forms. */
export const eventTexts: Readonly<Record<string, string>> = {
  'core.Event':
    'A report of something that happened to an object. Events are kept for a limited time, and some may be lost.',
  'core.Event.involvedObject': 'The object that the event is about. The event is in the same namespace.',
  'core.Event.reason': 'Reason for the event, as one word in CamelCase.',
  'core.Event.message': 'Description of the event, for human readers.',
  'core.Event.source': 'The component that reported the event, in the older format.',
  'core.Event.firstTimestamp': 'Time at which the event was first observed.',
  'core.Event.lastTimestamp': 'Time at which the event was last observed.',
  'core.Event.count': 'Number of times that the event was observed.',
  'core.Event.type': '`Normal` or `Warning`. More types may be added.',
  'core.Event.eventTime':
    'Time at which the event was first observed, to the microsecond. Set by components that use the newer format.',
  'core.Event.series': 'The repetitions that this event represents. Absent if the event happened once.',
  'core.Event.action': 'The action that was taken or that failed, as one word in CamelCase.',
  'core.Event.related': 'A second object that is involved.',
  'core.Event.reportingComponent': 'Controller that reported the event, for example `kubernetes.io/kubelet`.',
  'core.Event.reportingInstance': 'Instance of the controller, such as the name of its pod.',
  'core.EventSource': 'The component that reported an event.',
  'core.EventSource.component': 'Name of the component.',
  'core.EventSource.host': 'Node on which the component runs.',
  'core.EventSeries': 'Repetitions of an event.',
  'core.EventSeries.count': 'Number of times that the event was observed up to lastObservedTime.',
  'core.EventSeries.lastObservedTime': 'Time at which the event was last observed.',
  'events.Event':
    'A report of something that happened to an object. Events are kept for a limited time, and some may be lost.',
  'events.Event.eventTime': 'Time at which the event was first observed. Required.',
  'events.Event.series': 'The repetitions that this event represents. Absent if the event happened once.',
  'events.Event.reportingController':
    'Controller that reported the event, for example `kubernetes.io/kubelet`. Required.',
  'events.Event.reportingInstance': 'Instance of the controller, in at most 128 characters. Required.',
  'events.Event.action': 'The action that was taken or that failed, as one word of at most 128 characters. Required.',
  'events.Event.reason': 'Reason for the event, as one word of at most 128 characters. Required.',
  'events.Event.regarding': 'The object that the event is about, usually one that the controller manages.',
  'events.Event.related': 'A second object that is involved.',
  'events.Event.note': 'Description of the event, for human readers, in at most 1024 characters.',
  'events.Event.type': '`Normal` or `Warning`. Required.',
  'events.Event.deprecatedSource': 'The component that reported the event, for compatibility with the older format.',
  'events.Event.deprecatedFirstTimestamp':
    'Time at which the event was first observed, for compatibility with the older format.',
  'events.Event.deprecatedLastTimestamp':
    'Time at which the event was last observed, for compatibility with the older format.',
  'events.Event.deprecatedCount':
    'Number of times that the event was observed, for compatibility with the older format.',
  'events.EventSeries': 'Repetitions of an event.',
  'events.EventSeries.count': 'Number of times that the event was observed up to lastObservedTime. At least 2.',
  'events.EventSeries.lastObservedTime': 'Time at which the event was last observed.',
}
