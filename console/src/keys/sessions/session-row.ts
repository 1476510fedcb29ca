import { type AccessKey, nameOf } from '../../api/objects.ts'
import { ownerOf } from '../../api/owner.ts'
import { timeOf } from '../../format/time.ts'

/** The values that a table needs from a session. */
export interface SessionRow {
  readonly key: AccessKey
  readonly name: string
  readonly owner: string
  /** Address and program. */
  readonly startedFrom: string
  readonly userAgent: string
  /** The key that was presented. Empty: none was. */
  readonly startedWith: string
  /** The connector, for a user who signed in at an identity provider, else the key's name. */
  readonly startedBy: string
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
    startedBy: spec.identity?.connector || spec.displayName || '',
    usedFrom: status.lastUsedFrom ?? '',
    activeMs: timeOf(status.lastActivity),
    expiresMs: timeOf(status.expiresAt),
  }
}
