import { timestamp } from '../../../base/clock.ts'
import type { KubeObject } from '../../object.ts'
import type { ObjectReference } from '../../types/core-v1.ts'

/** The content of a new Event. */
export interface NewEvent {
  readonly name: string
  readonly about: ObjectReference
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly component: string
  /** Absent: the component. Kubernetes names none if an Event stands for several. */
  readonly reporter?: string
  readonly firstMs: number
  readonly lastMs: number
  readonly count: number
}

export function newEvent({
  name,
  about,
  component,
  reporter = component,
  firstMs,
  lastMs,
  ...told
}: NewEvent): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespaceOfEvents(about) },
    involvedObject: { ...about },
    ...told,
    source: { component },
    reportingComponent: reporter,
    reportingInstance: '',
    firstTimestamp: timestamp(firstMs),
    lastTimestamp: timestamp(lastMs),
  }
}

/** Events about cluster-scoped objects are in `default`. */
export function namespaceOfEvents({ namespace }: Pick<ObjectReference, 'namespace'>): string {
  return namespace || 'default'
}
