import { type AccessKey, nameOf } from '../../api/objects.ts'
import { ownerOf } from '../../api/owner.ts'
import { timeOf } from '../../format/time.ts'

/** What a table needs of a session. */
export interface SessionRow {
  readonly key: AccessKey
  readonly name: string
  readonly owner: string
  /** Address and program. */
  readonly startedFrom: string
  readonly userAgent: string
  /** Empty: the token that the platform was started with. */
  readonly startedWith: string
  readonly usedFrom: string
  readonly activeMs: number | undefined
  readonly expiresMs: number | undefined
}

export function sessionRowOf(key: AccessKey): SessionRow {
  const { spec = {}, status = {} } = key
  const { startedFrom = '', userAgent = '', startedWith = '' } = status.session ?? {}
  return {
    key,
    name: nameOf(key),
    owner: ownerOf(spec)?.name ?? '',
    startedFrom,
    userAgent,
    startedWith,
    usedFrom: status.lastUsedFrom ?? '',
    activeMs: timeOf(status.lastActivity),
    expiresMs: timeOf(status.expiresAt),
  }
}
