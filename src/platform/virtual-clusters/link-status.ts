import type { KubeObject } from '../../api/object.ts'
import type { VirtualClusterInstance } from '../../api/types/management.ts'
import { timestamp } from '../../base/clock.ts'
import { withInstanceCondition } from './condition.ts'

export type LinkChange =
  | {
      readonly state: 'online'
      readonly replica: string
      readonly process: string
      readonly keyName: string
      /** Whether the process is about to stop. */
      readonly isLeaving: boolean
      readonly lastSeenMs: number
    }
  | {
      readonly state: 'offline'
      readonly reason: string
      readonly message: string
      /** Absent if only the replica that held the link knew it. */
      readonly lastSeenMs?: number
    }

/** The object with the new state in its status. The transition time of a condition changes only with its status. */
export function withLinkStatus(object: KubeObject, news: LinkChange, nowMs: number): KubeObject {
  const { status = {} } = object as VirtualClusterInstance
  const { reason: _, message: __, link: ___, ...rest } = status
  const generation = object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }
  if (news.state === 'online') {
    return {
      ...object,
      status: {
        ...rest,
        ...generation,
        phase: 'Online',
        online: true,
        lastHeartbeat: timestamp(news.lastSeenMs),
        link: {
          replica: news.replica,
          accessKey: news.keyName,
          ...(news.process !== '' && { process: news.process }),
          ...(news.isLeaving && { leaving: true }),
        },
        conditions: withInstanceCondition(
          status.conditions,
          { type: 'Online', status: 'True', reason: 'Linked', message: '' },
          nowMs,
        ),
      },
    }
  }
  const { reason, message, lastSeenMs } = news
  return {
    ...object,
    status: {
      ...rest,
      ...generation,
      phase: 'Offline',
      reason,
      message,
      online: false,
      ...(lastSeenMs !== undefined && { lastHeartbeat: timestamp(lastSeenMs) }),
      conditions: withInstanceCondition(status.conditions, { type: 'Online', status: 'False', reason, message }, nowMs),
    },
  }
}
