import type { UserInfo } from '../../api/access.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'
import type { Directory } from '../owners/directory.ts'

/** One entry of `spec.access`. */
export interface AccessGrant {
  readonly verbs: readonly string[]
  readonly clusterRole: string
  readonly users: readonly string[]
  readonly teams: readonly string[]
}

const all = '*'
const teamPrefix = teamGroup('')

/** Entries that mention the same user or team, and whether one of them has a verb, for verbs that were asked for. */
interface Mentions {
  readonly grants: AccessGrant[]
  verbs: Map<string, boolean> | undefined
}

/** Callers choose the verbs of reviews. */
const mostVerbs = 32

/**
 * The entries of one object by those whom they mention. An object may have thousands, and each of hundreds of watches
 * asks about another user whenever the object changes.
 */
export class GrantTable {
  readonly #grants: readonly AccessGrant[]
  readonly #ofUser = new Map<string, Mentions>()
  readonly #ofTeam = new Map<string, Mentions>()

  constructor(grants: readonly AccessGrant[]) {
    this.#grants = grants
    for (const grant of grants) {
      for (const user of new Set(grant.users)) add(this.#ofUser, user, grant)
      for (const team of new Set(grant.teams)) add(this.#ofTeam, team === all ? all : teamGroup(team), grant)
    }
  }

  /** Whether an entry for the user has the verb. */
  gives(verb: string, user: UserInfo, directory: Directory): boolean {
    return this.#mentions(user, directory).some((each) => hasVerb(each, verb))
  }

  /** The entries for the user, in their order. */
  to(user: UserInfo, directory: Directory): readonly AccessGrant[] {
    const found = new Set(this.#mentions(user, directory).flatMap(({ grants }) => grants))
    return found.size === 0 ? [] : this.#grants.filter((grant) => found.has(grant))
  }

  #mentions({ name, groups }: UserInfo, directory: Directory): readonly Mentions[] {
    const found: (Mentions | undefined)[] = directory.usersOfSubject(name).map((user) => this.#ofUser.get(user))
    if (groups.includes(authenticatedGroup)) found.push(this.#ofUser.get(all))
    if (this.#ofTeam.size > 0) {
      const teams = groups.filter((group) => group.startsWith(teamPrefix))
      found.push(...teams.map((group) => this.#ofTeam.get(group)))
      if (teams.length > 0) found.push(this.#ofTeam.get(all))
    }
    return found.filter((each) => each !== undefined)
  }
}

function add(map: Map<string, Mentions>, subject: string, grant: AccessGrant): void {
  const known = map.get(subject)
  if (known === undefined) map.set(subject, { grants: [grant], verbs: undefined })
  else known.grants.push(grant)
}

function hasVerb(mentions: Mentions, verb: string): boolean {
  const known = mentions.verbs?.get(verb)
  if (known !== undefined) return known
  const has = mentions.grants.some((grant) => grant.verbs.includes(verb) || grant.verbs.includes(all))
  mentions.verbs ??= new Map()
  if (mentions.verbs.size < mostVerbs) mentions.verbs.set(verb, has)
  return has
}
