import type { KubeObject } from '../../api/object.ts'
import type { UserIdentity } from '../../api/types/management.ts'
import type { KeyOwner, OwnerDirectory, OwnerState } from '../../auth/keys/contract.ts'
import { deepEqual } from '../../base/equal.ts'
import { type StoredTeam, type StoredUser, storedTeam, storedUser } from './stored-owner.ts'

interface KnownUser {
  readonly stored: StoredUser
  /** Computed on first use. If the teams have changed since, it is computed again, but kept if it is equal. */
  state: OwnerState | undefined
  teamsVersion: number
}

const outdated = -1

/**
 * The users and teams of the platform in memory. A user's state is computed on first use, and stays the same object as
 * long as it is equal.
 */
export class Directory implements OwnerDirectory {
  readonly #users = new Map<string, KnownUser>()
  readonly #teams = new Map<string, StoredTeam>()
  readonly #userNames = new SubjectNames()
  readonly #teamNames = new SubjectNames()
  readonly #identities = new SubjectNames()
  /** How many identities of each connector there are. */
  readonly #connectors = new Map<string, number>()
  /** Owners with keys of a deleted owner of the same name that are still being removed. */
  readonly #blocked = new Set<string>()
  #teamsVersion = 0

  user(name: string): OwnerState | undefined {
    const user = this.#users.get(name)
    if (user === undefined || this.#isBlocked('user', name)) return undefined
    if (user.state === undefined || user.teamsVersion !== this.#teamsVersion) {
      const fresh = this.#userState(user.stored)
      if (user.state === undefined || !deepEqual(user.state, fresh)) user.state = fresh
      user.teamsVersion = this.#teamsVersion
    }
    return user.state
  }

  team(name: string): OwnerState | undefined {
    return this.#isBlocked('team', name) ? undefined : this.#teams.get(name)?.state
  }

  /**
   * The state of a user or team; undefined for subjects, which the platform does not manage, and for owners that were
   * deleted.
   */
  owner({ kind, name }: KeyOwner): OwnerState | undefined {
    if (kind === 'subject') return undefined
    return kind === 'user' ? this.user(name) : this.team(name)
  }

  /** The uid, even of a blocked owner. */
  uidOf({ kind, name }: KeyOwner): string | undefined {
    if (kind === 'subject') return undefined
    return kind === 'user' ? this.#users.get(name)?.stored.uid : this.#teams.get(name)?.state.uid
  }

  /** Names of the users that permissions granted to the subject apply to. */
  usersOfSubject(subject: string): readonly string[] {
    return this.#userNames.of(subject)
  }

  teamsOfSubject(subject: string): readonly string[] {
    return this.#teamNames.of(subject)
  }

  /** Names of the users with an identity; more than one is an operator's mistake. */
  usersOfIdentity(connector: string, userId: string): readonly string[] {
    return this.#identities.of(identityText({ connector, userId }))
  }

  /** How many identities of a connector lead to a user. */
  identitiesOf(connector: string): number {
    return this.#connectors.get(connector) ?? 0
  }

  /** Names of the teams that any of the groups gives membership in. */
  teamsOfGroups(groups: readonly string[]): readonly string[] {
    const teams = [...this.#teams.values()]
    return teams.filter(({ memberGroups }) => groups.some((group) => memberGroups.has(group))).map(({ name }) => name)
  }

  putUser(object: KubeObject): void {
    const stored = storedUser(object)
    const known = this.#users.get(stored.name)
    this.#userNames.move(stored.name, known?.stored.subject, stored.subject)
    this.#moveIdentities(stored.name, known?.stored, stored)
    this.#users.set(stored.name, { stored, state: known?.state, teamsVersion: outdated })
  }

  remove({ kind, name }: KeyOwner): void {
    if (kind === 'user') this.#removeUser(name)
    else this.#removeTeam(name)
  }

  #removeUser(name: string): void {
    this.#userNames.move(name, this.#users.get(name)?.stored.subject, undefined)
    this.#moveIdentities(name, this.#users.get(name)?.stored, undefined)
    this.#users.delete(name)
  }

  #moveIdentities(name: string, before: StoredUser | undefined, now: StoredUser | undefined): void {
    for (const identity of before?.identities ?? []) {
      this.#identities.move(name, identityText(identity), undefined)
      this.#count(identity.connector, -1)
    }
    for (const identity of now?.identities ?? []) {
      this.#identities.move(name, undefined, identityText(identity))
      this.#count(identity.connector, 1)
    }
  }

  #count(connector: string, change: 1 | -1): void {
    const count = this.identitiesOf(connector) + change
    if (count === 0) this.#connectors.delete(connector)
    else this.#connectors.set(connector, count)
  }

  putTeam(object: KubeObject): void {
    const team = storedTeam(object)
    const known = this.#teams.get(team.name)?.state
    this.#teamNames.move(team.name, known?.subject, team.state.subject)
    this.#teams.set(team.name, deepEqual(known, team.state) && known !== undefined ? { ...team, state: known } : team)
    this.#teamsVersion += 1
  }

  #removeTeam(name: string): void {
    this.#teamNames.move(name, this.#teams.get(name)?.state.subject, undefined)
    this.#teams.delete(name)
    this.#teamsVersion += 1
  }

  /** No caller can act for a blocked owner. */
  block(owner: KeyOwner): void {
    this.#blocked.add(blockName(owner))
  }

  unblock(owner: KeyOwner): void {
    this.#blocked.delete(blockName(owner))
  }

  #isBlocked(kind: KeyOwner['kind'], name: string): boolean {
    return this.#blocked.size > 0 && this.#blocked.has(blockName({ kind, name }))
  }

  #userState({ name, uid, subject, groups, signOnGroups, locked }: StoredUser): OwnerState {
    const teams: string[] = []
    const bringing = [...groups, ...signOnGroups]
    for (const team of this.#teams.values()) {
      if (team.users.has(name) || bringing.some((group) => team.memberGroups.has(group))) teams.push(team.name)
    }
    return { subject, ...(uid === undefined ? {} : { uid }), groups, teams: teams.sort(), locked }
  }
}

function identityText({ connector, userId }: UserIdentity): string {
  return `${connector}\0${userId}`
}

const noNames: readonly string[] = []

/** The objects that each subject refers to. */
class SubjectNames {
  /** Sorted. */
  readonly #names = new Map<string, readonly string[]>()

  of(subject: string): readonly string[] {
    return this.#names.get(subject) ?? noNames
  }

  move(name: string, from: string | undefined, to: string | undefined): void {
    if (from === to) return
    if (from !== undefined) this.#leave(name, from)
    if (to !== undefined) this.#names.set(to, [...this.of(to), name].sort())
  }

  #leave(name: string, subject: string): void {
    const names = this.of(subject).filter((each) => each !== name)
    if (names.length === 0) this.#names.delete(subject)
    else this.#names.set(subject, names)
  }
}

function blockName({ kind, name }: KeyOwner): string {
  return `${kind}/${name}`
}
