import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** What the status of a virtual cluster says about its link. Empty texts: nothing. */
export interface LinkState {
  readonly serviceUid: string
  readonly isOnline: boolean
  readonly replica: string
  readonly lastHeartbeat: string
}

export function linkStateOf({ status }: KubeObject): LinkState {
  const { serviceUid, online, link, lastHeartbeat } = isJsonObject(status) ? status : {}
  return {
    serviceUid: textOf(serviceUid),
    isOnline: online === true,
    replica: isJsonObject(link) ? textOf(link.replica) : '',
    lastHeartbeat: textOf(lastHeartbeat),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
