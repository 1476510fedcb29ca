import type { KubeObject } from '../object.ts'
import type { ObjectReference } from './references.ts'

/** The form in which events are kept. `events.k8s.io` shows the same objects in other words. */
export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference
  readonly reason?: string
  readonly message?: string
  readonly source: EventSource
  readonly firstTimestamp: string | null
  readonly lastTimestamp: string | null
  readonly count?: number
  readonly type?: string
  readonly eventTime: string | null
  readonly series?: EventSeries
  readonly action?: string
  readonly related?: ObjectReference
  readonly reportingComponent: string
  readonly reportingInstance: string
}

export interface EventSource {
  readonly component?: string
  readonly host?: string
}

export interface EventSeries {
  readonly count?: number
  readonly lastObservedTime: string | null
}
