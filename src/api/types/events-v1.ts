import type { KubeObject } from '../object.ts'
import type { EventSource, ObjectReference } from './core-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface Event extends KubeObject {
  readonly eventTime: string | null
  readonly series?: EventSeries
  readonly reportingController?: string
  readonly reportingInstance?: string
  readonly action?: string
  readonly reason?: string
  readonly regarding: ObjectReference
  readonly related?: ObjectReference
  readonly note?: string
  readonly type?: string
  readonly deprecatedSource: EventSource
  readonly deprecatedFirstTimestamp: string | null
  readonly deprecatedLastTimestamp: string | null
  readonly deprecatedCount?: number
}

export interface EventSeries {
  readonly count: number
  readonly lastObservedTime: string | null
}
