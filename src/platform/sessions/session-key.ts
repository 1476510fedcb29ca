import type { KubeObject } from '../../api/object.ts'
import type { AccessKeySpec, AccessKeyStatus } from '../../api/types/management.ts'
import type { TokenSource } from '../../auth/contract.ts'
import type { MintedSession } from '../../auth/keys/values/session-value.ts'
import { timestamp } from '../../base/clock.ts'
import type { Admitted } from '../../registry/context.ts'
import { livingStatus } from '../access-keys/life/status.ts'
import type { KeySettings } from '../access-keys/parts.ts'
import { ownerFieldsOf } from '../access-keys/record/access-key.ts'
import { recordOf } from '../access-keys/record/key-record.ts'
import { type SealedKey, sealedForm } from '../access-keys/record/sealed-key.ts'
import { hiddenOf, shownIdentity } from '../signed-on/identity.ts'
import { sessionEndMs } from './session-end.ts'
import type { SessionPerson } from './session-person.ts'

/** A session that is about to be stored. */
export interface NewSession {
  readonly person: SessionPerson
  readonly minted: MintedSession
  readonly source: TokenSource
  /** The uid of the User or Team that the session acts for. */
  readonly ownerUid: string | undefined
  readonly nowMs: number
}

export function sessionSpec(
  { owner, groups, scope, signedOn }: SessionPerson,
  { sessionIdleSeconds }: KeySettings,
  nowMs: number,
): AccessKeySpec {
  return {
    displayName: 'Console session',
    ...ownerFieldsOf(owner),
    ...(groups.length === 0 ? {} : { groups }),
    ...(scope === undefined ? {} : { scope }),
    ttl: sessionIdleSeconds,
    ttlAfterLastActivity: true,
    type: 'Login',
    ...(signedOn === undefined ? {} : { identity: shownIdentity(signedOn, nowMs) }),
  }
}

/** The `Login` key of a session: only the hash of its halves is stored, with the credential it was started with. */
export function sessionKey(object: KubeObject, session: NewSession, settings: KeySettings): Admitted {
  const { person, minted, source, ownerUid, nowMs } = session
  const latestEndMs = sessionEndMs(settings, person.signedOn, nowMs)
  const sealed: SealedKey = {
    hash: minted.hash,
    issuedAtMs: nowMs,
    ...(ownerUid === undefined ? {} : { ownerUid }),
    ...hiddenOf(person.signedOn),
    session: { startedWith: person.startedWith, latestEndMs },
  }
  const status: AccessKeyStatus = {
    keyId: minted.keyId,
    session: {
      ...(person.keyName === undefined ? {} : { startedWith: person.keyName }),
      startedFrom: source.address,
      ...(source.userAgent === '' ? {} : { userAgent: shownAgent(source.userAgent) }),
      latestEnd: timestamp(latestEndMs),
    },
  }
  const record = recordOf({ ...object, status }, sealed)
  return { object: { ...object, status: livingStatus(status, record, settings, nowMs) }, sealed: sealedForm(sealed) }
}

const longestAgent = 200

/** Users see this text: only printable characters, and at most a part of it. */
function shownAgent(userAgent: string): string {
  return userAgent.replace(/[^\x20-\x7e]/g, '?').slice(0, longestAgent)
}
