import type { ResourceAttributes, UserInfo } from '../api/access.ts'
import { forbidden, refusedBy } from '../api/error.ts'
import { forbiddenFor } from '../api/forbidden.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import type { AccessKeyScope } from '../api/types/management.ts'
import { decisionPace } from '../auth/decision-pace.ts'
import type { KeyIndex, KeyOwner } from '../auth/keys/contract.ts'
import { teamGroup } from '../auth/keys/key-owner.ts'
import type { ScopeEnvironment } from '../auth/scope/compile.ts'
import { isWithin } from '../auth/scope/within.ts'
import { parseServiceAccountUserName } from '../auth/service-account-name.ts'
import type { WriteRequest } from '../registry/contract.ts'
import { isByMachine } from './by-machine.ts'
import type { Directory } from './owners/directory.ts'

const anyVersion = { version: '', subresource: '', namespace: '' }

/** Throws a 403 unless the caller has all of the rights. In turns: an object may grant thousands. */
export async function requireAll(
  request: Pick<WriteRequest, 'authorize'> & Partial<Pick<WriteRequest, 'signal'>>,
  attributes: readonly ResourceAttributes[],
): Promise<void> {
  const [first] = attributes
  const pace = first && decisionPace(first.user)
  for (const each of attributes) {
    if (pace?.isDue()) {
      await pace.rest()
      request.signal?.throwIfAborted()
    }
    const decision = await request.authorize(each)
    if (decision.verdict !== 'allow') throw forbiddenFor(each, decision)
    if (decision.isPartial === true) throw forbiddenFor(each, { verdict: 'no-opinion', reason: '' })
  }
}

/** One right for each verb on an object. */
export function rightsOnObject(
  { group, version, plural }: Kind,
  { metadata: { name = '', namespace = '' } }: KubeObject,
  user: UserInfo,
  verbs: Iterable<string>,
): readonly ResourceAttributes[] {
  const where = { group, version, resource: plural, subresource: '', namespace, name }
  return [...verbs].map((verb) => ({ user, verb, ...where }))
}

/**
 * The rights needed to act for an owner with a new key: to be that user or team, and every group and team they belong
 * to. Impersonation headers require the same.
 */
export function actingFor(
  user: UserInfo,
  owner: KeyOwner,
  directory: Directory,
  managementGroup: string,
): readonly ResourceAttributes[] {
  const belongings = gainedMemberships(user, owner, directory, managementGroup)
  if (owner.kind === 'team') return [...asTeams(user, [owner.name], managementGroup), ...belongings]
  const subject = owner.kind === 'subject' ? owner.name : (directory.user(owner.name)?.subject ?? owner.name)
  return [asSubject(user, subject), ...belongings]
}

/** The right to act as a user does not include the groups and teams of that user. */
export function gainedMemberships(
  user: UserInfo,
  owner: KeyOwner,
  directory: Directory,
  managementGroup: string,
): readonly ResourceAttributes[] {
  const { groups = [], teams = [] } = directory.owner(owner) ?? {}
  const isGained = (group: string) => !user.groups.includes(group)
  return [
    ...asGroups(user, groups.filter(isGained)),
    ...asTeams(
      user,
      teams.filter((team) => isGained(teamGroup(team))),
      managementGroup,
    ),
  ]
}

export function asSubject(user: UserInfo, subject: string): ResourceAttributes {
  const account = parseServiceAccountUserName(subject)
  const person =
    account === undefined ? { resource: 'users', name: subject } : { resource: 'serviceaccounts', ...account }
  return { user, verb: 'impersonate', ...anyVersion, group: '', ...person }
}

/** The rights to be any user, in any group. */
export function asAnyone(user: UserInfo): readonly ResourceAttributes[] {
  const base = { user, verb: 'impersonate', ...anyVersion, group: '', name: '' }
  return [
    { ...base, resource: 'users' },
    { ...base, resource: 'groups' },
  ]
}

export function asGroups(user: UserInfo, groups: readonly string[]): readonly ResourceAttributes[] {
  return groups.map((name) => ({ user, verb: 'impersonate', ...anyVersion, group: '', resource: 'groups', name }))
}

export function asTeams(
  user: UserInfo,
  teams: readonly string[],
  managementGroup: string,
): readonly ResourceAttributes[] {
  const base = { user, verb: 'impersonate', ...anyVersion, group: managementGroup, resource: 'teams' }
  return teams.map((name) => ({ ...base, name }))
}

/** The rights that it takes to manage a key of another owner. */
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

/** Applies whatever the rules of the scope allow: a limited key grants neither groups nor rights of others. */
export function requireNoGainByScope(kind: Kind, name: string, user: UserInfo, gains: boolean): void {
  if (!gains || user.credential?.scope === undefined) return
  throw refusedBy(
    'scope',
    forbidden(kind, name, 'an access key with a scope cannot set the groups or the owner of a key'),
  )
}

/**
 * Connection keys and keys of machines cannot make other keys: otherwise access that should end soon would continue
 * under another name.
 */
export function requireLastingKey(kind: Kind, name: string, user: UserInfo, index: Pick<KeyIndex, 'find'>): void {
  if (isByMachine(user, index)) {
    throw refusedBy('scope', forbidden(kind, name, 'the key of a machine cannot make or change access keys'))
  }
  const key = user.credential && index.find(user.credential.keyUid)
  if (key?.session?.connectionWithin === undefined) return
  throw refusedBy('scope', forbidden(kind, name, 'a connection key cannot make or change access keys'))
}

/** A key with a scope neither makes nor changes a key that reaches further than itself. */
export function requireWithinScope(
  kind: Kind,
  name: string,
  user: UserInfo,
  scope: AccessKeyScope | undefined,
  environment: ScopeEnvironment,
): void {
  const held = user.credential?.scope?.source
  if (held === undefined || isWithin(scope, held, environment)) return
  throw refusedBy('scope', forbidden(kind, name, 'its scope reaches beyond the scope of the access key in use'))
}
