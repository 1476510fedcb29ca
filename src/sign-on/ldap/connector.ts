import type { Entry, Filter } from 'ldapts'
import type { ConnectorSpec, LdapConnector } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import { withinTime } from '../../base/within-time.ts'
import type { ConnectorWarning, Credentials, PasswordConnector, ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import { accountAttributes, accountProblem } from './account-state.ts'
import { DirectoryConnection } from './directory.ts'
import { entryId, entryIdValue } from './entry.ts'
import { bindFailure, directoryFailure, ownFailure } from './failure.ts'
import { anyOf, equals, matchingBoth, parsedFilter } from './filters.ts'
import { attributesForGroups, groupsOfUser } from './groups-of-user.ts'
import { directoryIdentity } from './identity.ts'
import { type DirectoryAddress, directoryAddress } from './secure-socket.ts'
import { type GroupSettings, groupSettings, type UserSettings, userSettings } from './settings.ts'

export interface LdapOptions {
  readonly spec: ConnectorSpec
  /** The password of the entry with which the platform searches. Absent: there is none. */
  readonly bindPassword: string | undefined
  readonly clock: Clock
  /** For all requests of one sign-in. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 10_000
const mostAtOnce = 64

type Work<Result> = (directory: DirectoryConnection, signal: AbortSignal) => Promise<Result>

/** An LDAP directory: users enter their passwords here, and the directory verifies them. */
export class LdapDirectory implements PasswordConnector {
  readonly form = 'password'
  readonly #spec: ConnectorSpec
  readonly #ldap: LdapConnector
  readonly #bindPassword: string
  readonly #address: DirectoryAddress
  readonly #users: UserSettings
  readonly #groups: GroupSettings | undefined
  readonly #clock: Clock
  readonly #timeoutMs: number
  #working = 0

  constructor({ spec, bindPassword = '', clock, timeoutMs = defaultTimeoutMs }: LdapOptions) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#spec = spec
    this.#ldap = spec.ldap ?? {}
    this.#bindPassword = bindPassword
    this.#address = directoryAddress(this.#ldap.url ?? '', this.#ldap.caBundle)
    this.#users = userSettings(this.#ldap)
    this.#groups = groupSettings(this.#ldap)
  }

  async check({ username, password }: Credentials, signal: AbortSignal): Promise<ProviderIdentity> {
    // Directories accept a name without a password.
    if (username === '' || password === '') throw new SignOnFailure('wrong-password', 'name or password is empty')
    if (this.#working >= mostAtOnce) throw new SignOnFailure('unavailable', 'too many sign-ins wait for the directory')
    this.#working += 1
    try {
      return await this.#ask(withinTime(this.#timeoutMs, signal), async (directory, limit) => {
        const entry = await this.#findByLogin(directory, username)
        await this.#prove(entry.dn, password, limit)
        return this.#identityOf(directory, entry)
      })
    } finally {
      this.#working -= 1
    }
  }

  /** The user is looked up again by an attribute that never changes. */
  refresh(known: ProviderIdentity): Promise<ProviderIdentity> {
    return this.#ask(AbortSignal.timeout(this.#timeoutMs), async (directory) => {
      const { idAttribute } = this.#users
      const [entry] = await this.#findUsers(directory, equals(idAttribute, entryIdValue(known.userId, idAttribute)))
      if (entry === undefined || entryId(entry, idAttribute) !== known.userId) {
        throw new SignOnFailure('not-allowed', 'the directory has no such user any more')
      }
      const problem = accountProblem(entry, this.#preset, this.#clock.now())
      if (problem !== undefined) throw new SignOnFailure('not-allowed', problem)
      return this.#identityOf(directory, entry)
    })
  }

  async *test(signal: AbortSignal): AsyncIterable<string | ConnectorWarning> {
    const { host, port, security } = this.#address
    const limit = withinTime(this.#timeoutMs, signal)
    const directory = await this.#open(limit).catch((error: unknown) => {
      throw directoryFailure(error)
    })
    try {
      yield `${host}:${port} answers by ${security === 'ldaps' ? 'LDAPS' : 'StartTLS'}, with a certificate that is trusted`
      yield this.#ldap.bindDN ? `it lets ${this.#ldap.bindDN} in` : 'it is searched without a name'
      yield* this.#testSearches(directory)
    } catch (error) {
      throw directoryFailure(error)
    } finally {
      directory.close()
    }
  }

  async close(): Promise<void> {}

  get #preset() {
    return this.#ldap.preset ?? 'openLdap'
  }

  async *#testSearches(directory: DirectoryConnection): AsyncIterable<string | ConnectorWarning> {
    const { baseDN, filter, idAttribute } = this.#users
    const attributes = [idAttribute]
    const users = { baseDN, filter: parsedFilter(filter), attributes, most: 1 }
    const [user] = await directory.find(users).catch((error: unknown) => {
      throw ownFailure(error, 'spec.ldap.users')
    })
    if (user === undefined) throw new SignOnFailure('misconfigured', `no user is found below ${baseDN} by ${filter}`)
    entryId(user, idAttribute)
    yield `users are found below ${baseDN}, and have ${idAttribute}`
    if (this.#groups === undefined || this.#groups.baseDN === '') return
    const groups = { baseDN: this.#groups.baseDN, filter: parsedFilter(this.#groups.filter) }
    const named = { ...groups, attributes: [this.#groups.nameAttribute], most: 1 }
    const [group] = await directory.find(named).catch((error: unknown) => {
      throw ownFailure(error, 'spec.ldap.groups')
    })
    yield group === undefined
      ? { warning: `below ${groups.baseDN} no group is found by ${this.#groups.filter}` }
      : `groups are found below ${groups.baseDN}`
  }

  async #ask<Result>(signal: AbortSignal, work: Work<Result>): Promise<Result> {
    let directory: DirectoryConnection | undefined
    try {
      directory = await this.#open(signal)
      return await work(directory, signal)
    } catch (error) {
      if (signal.aborted) throw new SignOnFailure('unavailable', 'the directory did not answer in time')
      throw directoryFailure(error)
    } finally {
      directory?.close()
    }
  }

  /** Binds as the entry with which the platform searches. */
  async #open(signal: AbortSignal): Promise<DirectoryConnection> {
    const directory = await DirectoryConnection.open(this.#address, signal)
    const { bindDN = '' } = this.#ldap
    try {
      if (bindDN !== '') await directory.bind(bindDN, this.#bindPassword)
      return directory
    } catch (error) {
      directory.close()
      throw ownFailure(error, 'spec.ldap.bindDN, and the password in its Secret')
    }
  }

  async #findByLogin(directory: DirectoryConnection, username: string): Promise<Entry> {
    const filters = this.#users.loginAttributes.map((attribute) => equals(attribute, username))
    const [entry, another] = await this.#findUsers(directory, anyOf(filters))
    if (entry === undefined) throw new SignOnFailure('wrong-password', 'the directory has no user of this name')
    if (another !== undefined) throw new SignOnFailure('wrong-password', 'more than one user goes by this name')
    return entry
  }

  #findUsers(directory: DirectoryConnection, filter: Filter): Promise<readonly Entry[]> {
    const { baseDN, idAttribute, usernameAttribute, displayNameAttribute, emailAttribute } = this.#users
    const told = [idAttribute, usernameAttribute, displayNameAttribute, emailAttribute]
    const forGroups = this.#groups === undefined ? [] : attributesForGroups(this.#groups)
    const about = [...told, ...forGroups, ...accountAttributes(this.#preset), ...(this.#spec.extraClaims ?? [])]
    return directory.find({
      baseDN,
      filter: matchingBoth(parsedFilter(this.#users.filter), filter),
      attributes: [...new Set(about)],
      most: 2,
    })
  }

  /** On a separate connection, so that later searches do not run with the user's rights. */
  async #prove(dn: string, password: string, signal: AbortSignal): Promise<void> {
    const connection = await DirectoryConnection.open(this.#address, signal)
    try {
      await connection.bind(dn, password)
    } catch (error) {
      throw bindFailure(error)
    } finally {
      connection.close()
    }
  }

  async #identityOf(directory: DirectoryConnection, entry: Entry): Promise<ProviderIdentity> {
    const groups = this.#groups === undefined ? [] : await groupsOfUser(directory, entry, this.#groups)
    return directoryIdentity(entry, groups, this.#users, this.#spec)
  }
}
