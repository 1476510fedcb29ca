import type { ResourceAttributes, UserInfo } from '../../api/access.ts'
import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { AccessKeyScope } from '../../api/management/access-key-types.ts'
import { forbiddenFor } from '../../auth/forbidden.ts'
import type { KeyOwner } from '../../auth/keys/contract.ts'
import type { ScopeEnvironment } from '../../auth/scope/compile.ts'
import { isWithin } from '../../auth/scope/within.ts'
import { parseServiceAccountUserName } from '../../auth/service-account-name.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import type { Directory } from '../owners/directory.ts'

const anyVersion = { version: '', subresource: '', namespace: '' }

/** Throws a 403 unless the caller may do all of it. */
export async function requireAll(request: WriteRequest, attributes: readonly ResourceAttributes[]): Promise<void> {
  for (const each of attributes) {
    const decision = await request.authorize(each)
    if (decision.verdict !== 'allow') throw forbiddenFor(each, decision)
  }
}

/** What it takes to act for an owner by a new key: the same as to become that user by the headers of a request. */
export function actingFor(
  user: UserInfo,
  owner: KeyOwner,
  directory: Directory,
  managementGroup: string,
): readonly ResourceAttributes[] {
  const base = { user, verb: 'impersonate', ...anyVersion }
  const groups = gained(user, owner, directory)
  if (owner.kind === 'team') {
    return [{ ...base, group: managementGroup, resource: 'teams', name: owner.name }, ...asGroups(user, groups)]
  }
  const subject = owner.kind === 'subject' ? owner.name : (directory.user(owner.name)?.subject ?? owner.name)
  const account = parseServiceAccountUserName(subject)
  const person =
    account === undefined ? { resource: 'users', name: subject } : { resource: 'serviceaccounts', ...account }
  return [{ ...base, group: '', ...person }, ...asGroups(user, groups)]
}

/** Whoever may act for a user does not for that reason become an administrator. */
export function privilegesGained(user: UserInfo, owner: KeyOwner, directory: Directory): readonly ResourceAttributes[] {
  return asGroups(user, gained(user, owner, directory))
}

/** Groups that the caller is in already are no gain. */
function gained(user: UserInfo, owner: KeyOwner, directory: Directory): readonly string[] {
  const groups = directory.owner(owner)?.groups ?? []
  return groups.filter((group) => isPrivileged(group) && !user.groups.includes(group))
}

export function asGroups(user: UserInfo, groups: readonly string[]): readonly ResourceAttributes[] {
  return groups.map((name) => ({ user, verb: 'impersonate', ...anyVersion, group: '', resource: 'groups', name }))
}

/** Groups that Kubernetes or the platform itself give a meaning. */
export function isPrivileged(group: string): boolean {
  return (group.startsWith('system:') && group !== 'system:authenticated') || group.startsWith('platform:')
}

/** What it takes to touch a key of somebody else. */
export function managing(
  user: UserInfo,
  verb: string,
  owner: KeyOwner,
  managementGroup: string,
): readonly ResourceAttributes[] {
  const resource = owner.kind === 'team' ? 'teams' : 'users'
  const where = { ...anyVersion, group: managementGroup, version: 'v1', resource, subresource: 'accesskeys' }
  return [{ user, verb, ...where, name: owner.name }]
}

/** Whatever the rules of its scope would let it do: a limited key hands out neither groups nor the rights of others. */
export function requireNoGainByScope(kind: Kind, name: string, user: UserInfo, gains: boolean): void {
  if (!gains || user.credential?.scope === undefined) return
  throw forbidden(kind, name, 'an access key with a scope sets neither the groups nor the owner of a key')
}

/** A key with a scope neither makes nor touches a key that reaches further than itself. */
export function requireWithinScope(
  kind: Kind,
  name: string,
  user: UserInfo,
  scope: AccessKeyScope | undefined,
  environment: ScopeEnvironment,
): void {
  const held = user.credential?.scope?.source
  if (held === undefined || isWithin(scope, held, environment)) return
  throw forbidden(kind, name, 'its scope reaches beyond the scope of the access key in use')
}
