import type { UserInfo } from '../../api/access.ts'
import type { KeyIndex, KeyOwner } from '../../auth/keys/contract.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import type { Directory } from './directory.ts'

/** A caller as an owner: the owner of what they create, and all owners whose keys they may manage. */
export interface OwningCaller {
  readonly self: KeyOwner
  readonly own: readonly KeyOwner[]
}

/**
 * A key determines the owner it acts for, unless the caller impersonates another user. Other callers are known by their
 * subject. A caller that is not a User of the platform, such as a service account, is a subject.
 */
export function owningCallerOf(user: UserInfo, directory: Directory, index: Pick<KeyIndex, 'find'>): OwningCaller {
  const self = keyOwner(user, directory, index) ?? subjectOwner(user.name, directory)
  const teams = self.kind === 'user' ? (directory.user(self.name)?.teams ?? []) : []
  return { self, own: [self, ...teams.map((name): KeyOwner => ({ kind: 'team', name }))] }
}

function keyOwner(user: UserInfo, directory: Directory, index: Pick<KeyIndex, 'find'>): KeyOwner | undefined {
  const owner = user.credential === undefined ? undefined : index.find(user.credential.keyUid)?.owner
  if (owner === undefined) return undefined
  return userNameOf(owner, directory) === user.name ? owner : undefined
}

/** The user name that a key of the owner acts as. */
export function userNameOf(owner: KeyOwner, directory: Directory): string | undefined {
  switch (owner.kind) {
    case 'user':
      return directory.user(owner.name)?.subject
    case 'team':
      return teamGroup(owner.name)
    case 'subject':
      return owner.name
  }
}

function subjectOwner(subject: string, directory: Directory): KeyOwner {
  const [user] = directory.usersOfSubject(subject)
  if (user !== undefined) return { kind: 'user', name: user }
  const [team] = directory.teamsOfSubject(subject)
  return team === undefined ? { kind: 'subject', name: subject } : { kind: 'team', name: team }
}

/** Whether the caller's key is that of another owner, and neither a user nor a team has the caller's name. */
export function impersonatesUnknownUser(user: UserInfo, directory: Directory, index: Pick<KeyIndex, 'find'>): boolean {
  if (user.credential === undefined || keyOwner(user, directory, index) !== undefined) return false
  return subjectOwner(user.name, directory).kind === 'subject'
}
