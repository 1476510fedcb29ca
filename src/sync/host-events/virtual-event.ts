import type { KubeObject } from '../../api/object.ts'
import type { Event, Pod } from '../../api/types/core-v1.ts'
import type { HostNames } from '../contract.ts'
import { inVirtualWords, inWordsOf, namesHostObjects } from '../kinds/pods/virtual-words.ts'
import { nameHash } from '../names/host-name.ts'

/** Components that report about running Pods. Events of others may concern the host. */
const heard: ReadonlySet<string> = new Set([
  'kubelet',
  'default-scheduler',
  'taint-eviction-controller',
  'node-controller',
  'attachdetach-controller',
  'persistentvolume-controller',
])

/** Some versions name the Pod that preempts another, which usually belongs to another owner. */
const preempted = { reason: 'Preempted', message: 'a Pod of higher priority has taken its place on the node' }

const longestReadable = 200
const longestMessage = 1_024
const longestReason = 128

/** Kinds whose copies get Events on the host. */
export type EventKind = 'Pod' | 'PersistentVolumeClaim'

/** An Event of the host about a copy, as an Event about the virtual object; undefined if it is not for the tenant. */
export function virtualEvent(
  host: KubeObject,
  { kind, object }: { readonly kind: EventKind; readonly object: KubeObject },
  names: HostNames,
): KubeObject | undefined {
  const { source, reportingComponent, involvedObject, message = '', reason = '' } = host as Event
  const component = source?.component || reportingComponent
  if (!heard.has(component)) return undefined
  const told = (words: string) =>
    kind === 'Pod' ? inVirtualWords(words, object as Pod, names) : inWordsOf(words, object, names)
  const text = reason === preempted.reason ? preempted.message : told(message)
  if (namesHostObjects(text, names)) return undefined
  const { namespace = '', name = '', uid = '' } = object.metadata
  const fieldPath = involvedObject.fieldPath && told(involvedObject.fieldPath)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: eventName(name, host) },
    involvedObject: { apiVersion: 'v1', kind, namespace, name, uid, ...(fieldPath && { fieldPath }) },
    reason: reason.slice(0, longestReason),
    message: text.slice(0, longestMessage),
    source: { component, ...(source?.host && { host: source.host }) },
    reportingComponent: component,
    reportingInstance: '',
    ...occurrences(host as Event),
  }
}

/** The counters of an Event. Some components count in a series. */
export function occurrences({ type, count, firstTimestamp, lastTimestamp, eventTime, series }: Event): {
  readonly type: string
  readonly count: number
  readonly firstTimestamp: string | null
  readonly lastTimestamp: string | null
} {
  const at = seconds(eventTime)
  return {
    type: type === 'Warning' ? 'Warning' : 'Normal',
    count: count || series?.count || 1,
    firstTimestamp: firstTimestamp ?? at,
    lastTimestamp: lastTimestamp ?? seconds(series?.lastObservedTime) ?? at,
  }
}

/** Times of an Event have no fractions, except in a series. */
function seconds(time: string | null | undefined): string | null {
  return time ? time.replace(/\.\d+Z$/, 'Z') : null
}

/** Derived from the Event of the host, so that a restarted syncer finds the one it wrote. */
function eventName(object: string, { metadata }: KubeObject): string {
  return `${object.slice(0, longestReadable).replace(/[^a-z0-9]$/, 'x')}.${nameHash(metadata.uid ?? '')}`
}
