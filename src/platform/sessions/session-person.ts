import type { UserInfo } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { KeyIndex, KeyOwner, StartedWith } from '../../auth/keys/contract.ts'
import type { SignedOn } from '../../auth/signed-on.ts'
import { type StaticTokens, tokenHash } from '../../auth/static-tokens.ts'
import { owningCallerOf } from '../owners/caller.ts'
import type { Directory } from '../owners/directory.ts'

/** The owner of a new session. Sessions are alike, whatever they were started with. */
export interface SessionPerson {
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly scope: AccessKeyScope | undefined
  readonly startedWith: StartedWith
  /** Name of the access key that was presented. */
  readonly keyName?: string
  /** What the identity provider reported. */
  readonly signedOn?: SignedOn
}

export interface PersonParts {
  readonly index: Pick<KeyIndex, 'find'>
  readonly directory: Directory
  readonly tokens: Pick<StaticTokens, 'holderOf'>
}

/** The person whose token was presented. Undefined: tokens of this kind do not start sessions. */
export function personWithToken(user: UserInfo, token: string, parts: PersonParts): SessionPerson | undefined {
  const { index, directory, tokens } = parts
  if (user.credential !== undefined) {
    const { keyUid: uid, keyId, keyName } = user.credential
    const key = index.find(uid)
    if (key === undefined) return undefined
    const { owner, groups, scope } = key
    return { owner, groups, scope: scope?.source, startedWith: { kind: 'key', uid, keyId }, keyName }
  }
  const hash = tokenHash(token)
  if (tokens.holderOf(hash) === undefined) return undefined
  const { self: owner } = owningCallerOf(user, directory, index)
  return { owner, groups: [], scope: undefined, startedWith: { kind: 'token', hash } }
}

/** The User that an identity led to. */
export function personSignedOn(user: string, signedOn: SignedOn): SessionPerson {
  return {
    owner: { kind: 'user', name: user },
    groups: [],
    scope: undefined,
    startedWith: { kind: 'identity', connector: signedOn.connector },
    signedOn,
  }
}
