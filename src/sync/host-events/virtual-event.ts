import type { KubeObject } from '../../api/object.ts'
import type { Event, Pod } from '../../api/types/core-v1.ts'
import type { HostNames } from '../contract.ts'
import { inVirtualWords, inWordsOf, namesHostObjects } from '../kinds/pods/virtual-words.ts'
import { nameHash } from '../names/host-name.ts'

/** Who speaks of Pods that run. What others of the host say may be about the host. */
const heard: ReadonlySet<string> = new Set([
  'kubelet',
  'default-scheduler',
  'taint-eviction-controller',
  'node-controller',
  'attachdetach-controller',
  'persistentvolume-controller',
])

/** Some versions name the Pod that takes the place of another, which is of another owner as a rule. */
const preempted = { reason: 'Preempted', message: 'a Pod of higher priority has taken its place on the node' }

const longestReadable = 200
const longestMessage = 1_024
const longestReason = 128

/** Kinds whose copies the host tells something of. */
export type ToldKind = 'Pod' | 'PersistentVolumeClaim'

/** What the host tells of a copy, as an Event about the virtual object; nothing if it is not for the tenant. */
export function virtualEvent(
  host: KubeObject,
  { kind, object }: { readonly kind: ToldKind; readonly object: KubeObject },
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

/** What of it grows. Some components count in a series. */
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

/** Times of an Event have no fractions, except those of a series. */
function seconds(time: string | null | undefined): string | null {
  return time ? time.replace(/\.\d+Z$/, 'Z') : null
}

/** The same for the same Event of the host, so that a restarted syncer finds what it wrote. */
function eventName(object: string, { metadata }: KubeObject): string {
  return `${object.slice(0, longestReadable).replace(/[^a-z0-9]$/, 'x')}.${nameHash(metadata.uid ?? '')}`
}
