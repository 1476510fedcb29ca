import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { User, UserSignOn, UserSpec } from '../../api/types/management.ts'
import type { SignedOn } from '../../auth/signed-on.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import type { Directory } from '../owners/directory.ts'
import { platformRequest } from '../platform-user.ts'
import { userNames } from './user-name.ts'

const manager = 'sign-on'

/** The account that an identity leads to. */
export type SignedOnUser =
  | { readonly outcome: 'known'; readonly name: string }
  | { readonly outcome: 'no-account' | 'no-room' | 'locked' | 'ambiguous' }

export interface SignedOnUsersParts {
  readonly users: () => ResourceContext
  readonly directory: Directory
  readonly clock: Clock
  /** How many users of a connector there may be for a sign-in to create another one. */
  readonly usersPerConnector: number
  /** Whether permissions were granted to the name before a user had it. */
  readonly isNamedElsewhere: (name: string) => boolean
  readonly createTeams: (groups: readonly string[], connector: string) => Promise<void>
}

/** What a sign-in may create. */
export interface SignInCreates {
  readonly createsUsers: boolean
  readonly createsTeams: boolean
}

/**
 * The User that an identity leads to, updated. Only connector and subject count: a name or mail address equal to that
 * of a User does not make the caller that User.
 */
export async function enterUser(
  parts: SignedOnUsersParts,
  signedOn: SignedOn,
  { createsUsers, createsTeams }: SignInCreates,
): Promise<SignedOnUser> {
  const { engine } = parts.users()
  if (!engine.store.soleWriter) await caughtUp(engine)
  const known = parts.directory.usersOfIdentity(signedOn.connector, signedOn.userId)
  const [name, another] = known
  if (another !== undefined) return { outcome: 'ambiguous' }
  if (name === undefined && !createsUsers) return { outcome: 'no-account' }
  if (name === undefined && isFull(parts, signedOn)) return { outcome: 'no-room' }
  const entered = name ?? (await createUser(parts, signedOn))
  if (entered === undefined) return { outcome: 'ambiguous' }
  if (parts.directory.user(entered)?.locked !== false) return { outcome: 'locked' }
  if (createsTeams) await parts.createTeams(signedOn.groups, signedOn.connector)
  await bringUpToDate(parts, entered, signedOn)
  return { outcome: 'known', name: entered }
}

/** A provider where every visitor can get an account could fill the store. Sign-ins at the same moment may exceed it slightly. */
function isFull({ directory, usersPerConnector }: SignedOnUsersParts, { connector }: SignedOn): boolean {
  return directory.identitiesOf(connector) >= usersPerConnector
}

/**
 * Applies what a provider reports about a signed-in user. False: the identity no longer leads to that user, or the user
 * is locked.
 */
export async function refreshUser(parts: SignedOnUsersParts, user: string, signedOn: SignedOn): Promise<boolean> {
  const users = parts.users()
  if (!parts.directory.usersOfIdentity(signedOn.connector, signedOn.userId).includes(user)) return false
  if (parts.directory.user(user)?.locked !== false) return false
  const { signal } = new AbortController()
  const request = platformRequest(manager, signal, 'status')
  await editObject(users, { namespace: '', name: user }, (object) => withGroups(object, signedOn), request)
  return true
}

/** Undefined: the groups are unchanged. */
function withGroups(object: KubeObject, { connector, groups }: SignedOn): KubeObject | undefined {
  const { status = {} } = object as User
  const signOn = (status.signOn ?? []).map((each) => (each.connector === connector ? { ...each, groups } : each))
  return deepEqual(signOn, status.signOn ?? []) ? undefined : { ...object, status: { ...status, signOn } }
}

/** Undefined: every name is taken by another user. */
async function createUser(parts: SignedOnUsersParts, signedOn: SignedOn): Promise<string | undefined> {
  const users = parts.users()
  for (const name of userNames(signedOn, parts.isNamedElsewhere)) {
    const created = await createNamed(users, name, signedOn)
    if (created) return name
    if (!users.engine.store.soleWriter) await caughtUp(users.engine)
    const [meanwhile] = parts.directory.usersOfIdentity(signedOn.connector, signedOn.userId)
    if (meanwhile !== undefined) return meanwhile
  }
  return undefined
}

async function createNamed(users: ResourceContext, name: string, signedOn: SignedOn): Promise<boolean> {
  const { kind } = users
  const { connector, userId, preferredUsername } = signedOn
  const value = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name },
    spec: {
      ...toldOf(signedOn),
      displayName: preferredUsername ?? signedOn.username,
      identities: [{ connector, userId }],
    },
  }
  const request = platformRequest(manager, new AbortController().signal)
  try {
    await createObject(users, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
    return true
  } catch (error) {
    if (isRefusal(error, 409)) return false
    throw error
  }
}

/** An unverified mail address is not taken over: it may not be the user's. */
function toldOf({ username, email, emailVerified }: SignedOn): Pick<UserSpec, 'username' | 'email'> {
  return { username, ...(emailVerified && email !== undefined ? { email } : {}) }
}

/** The name of the object stays when the user's name at the provider changes, because permissions refer to it. */
async function bringUpToDate(parts: SignedOnUsersParts, name: string, signedOn: SignedOn): Promise<void> {
  const users = parts.users()
  const id = { namespace: '', name }
  const { signal } = new AbortController()
  await editObject(users, id, (object) => withTold(object, signedOn), platformRequest(manager, signal))
  const nowMs = parts.clock.now()
  const edit = (object: KubeObject) => withSignOn(object, signedOn, nowMs)
  await editObject(users, id, edit, platformRequest(manager, signal, 'status'))
}

function withTold(object: KubeObject, signedOn: SignedOn): KubeObject | undefined {
  const { spec = {} } = object as User
  const told = { ...spec, ...toldOf(signedOn) }
  return deepEqual(told, spec) ? undefined : { ...object, spec: told }
}

function withSignOn(object: KubeObject, { connector, groups }: SignedOn, nowMs: number): KubeObject {
  const { status = {} } = object as User
  const entry: UserSignOn = { connector, groups, lastSignOn: timestamp(nowMs) }
  const others = (status.signOn ?? []).filter((each) => each.connector !== connector)
  return { ...object, status: { ...status, signOn: [...others, entry] } }
}
