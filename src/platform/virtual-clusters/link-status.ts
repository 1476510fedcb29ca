import type { KubeObject } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'

export type LinkNews =
  | { readonly state: 'online'; readonly replica: string; readonly keyName: string; readonly lastSeenMs: number }
  | { readonly state: 'offline'; readonly reason: string; readonly message: string }

const conditionType = 'Online'

/** The object with a status that says so. The moment of a condition changes only with its state. */
export function withLinkStatus(object: KubeObject, news: LinkNews, nowMs: number): KubeObject {
  const status = isJsonObject(object.status) ? object.status : {}
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
        link: { replica: news.replica, accessKey: news.keyName },
        conditions: conditions(status.conditions, { status: 'True', reason: 'Linked', message: '' }, nowMs),
      },
    }
  }
  const { reason, message } = news
  return {
    ...object,
    status: {
      ...rest,
      ...generation,
      phase: 'Offline',
      reason,
      message,
      online: false,
      conditions: conditions(status.conditions, { status: 'False', reason, message }, nowMs),
    },
  }
}

interface NewCondition {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

function conditions(before: unknown, condition: NewCondition, nowMs: number): readonly unknown[] {
  const all = Array.isArray(before) ? before.filter(isJsonObject) : []
  const old = all.find(({ type }) => type === conditionType)
  const isSame = old?.status === condition.status && typeof old.lastTransitionTime === 'string'
  const lastTransitionTime = isSame ? old.lastTransitionTime : timestamp(nowMs)
  return [
    ...all.filter(({ type }) => type !== conditionType),
    { type: conditionType, ...condition, lastTransitionTime },
  ]
}
