import type { KubeObject, VirtualCluster } from '../api/objects.ts'
import { countOf, membersOf, textOf } from '../api/shape.ts'
import { listFrom } from '../fetched/fetched.ts'
import { timeOf } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { useLive } from '../live/use-live.ts'
import { Badge } from '../parts/badge.tsx'
import { Contained } from '../parts/contained.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { OfflineNote } from './offline-note.tsx'
import { proxyPath } from './sync-state.ts'

interface ClusterEvent extends KubeObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly involvedObject?: { readonly kind?: string; readonly namespace?: string; readonly name?: string }
}

const mostShown = 200

export function EventsTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  if (virtualCluster.status?.online !== true)
    return (
      <Panel title="Events">
        <OfflineNote />
      </Panel>
    )
  return (
    <Contained>
      <LiveEvents virtualCluster={virtualCluster} />
    </Contained>
  )
}

function LiveEvents({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const events = useLive<KubeObject>(proxyPath(virtualCluster, '/api/v1/events'))
  const nowMs = useNow()
  return (
    <Panel title="Events">
      <SimpleTable
        label="Events"
        headers={['When', 'Type', 'Object', 'Reason', 'Message']}
        empty="No events in the last hour."
        of={listFrom(events, latestOf)}
        row={(event) => ({
          key: event.metadata.uid ?? event.metadata.name ?? '',
          cells: [
            <Moment key="when" ms={momentOf(event)} nowMs={nowMs} direction="ago" />,
            <Badge key="type" mood={event.type === 'Warning' ? 'warn' : 'quiet'}>
              {event.type ?? 'Normal'}
            </Badge>,
            objectText(event),
            event.reason ?? '',
            `${event.message ?? ''}${(event.count ?? 1) > 1 ? ` (${event.count} times)` : ''}`,
          ],
        })}
      />
    </Panel>
  )
}

function latestOf(objects: readonly KubeObject[]): readonly ClusterEvent[] {
  return objects
    .map(eventOf)
    .sort((a, b) => (momentOf(b) ?? 0) - (momentOf(a) ?? 0))
    .slice(0, mostShown)
}

/** A virtual cluster may return anything as an Event. */
function eventOf(object: KubeObject): ClusterEvent {
  const { type, reason, message, count, lastTimestamp, eventTime, involvedObject, metadata } = object
  const { kind, namespace, name } = membersOf(involvedObject ?? {}, 'involvedObject')
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    type: textOf(type) || 'Normal',
    reason: textOf(reason),
    message: textOf(message),
    count: countOf(count),
    lastTimestamp: textOf(lastTimestamp),
    eventTime: textOf(eventTime),
    involvedObject: { kind: textOf(kind), namespace: textOf(namespace), name: textOf(name) },
  }
}

function momentOf({ lastTimestamp, eventTime, metadata }: ClusterEvent): number | undefined {
  return timeOf(lastTimestamp) ?? timeOf(eventTime) ?? timeOf(metadata.creationTimestamp)
}

function objectText({ involvedObject: { kind = '', namespace = '', name = '' } = {} }: ClusterEvent): string {
  return `${kind} ${[namespace, name].filter(Boolean).join('/')}`
}
