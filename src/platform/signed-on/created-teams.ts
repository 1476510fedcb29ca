import { isRefusal } from '../../api/error.ts'
import type { Log } from '../../base/log.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import type { Directory } from '../owners/directory.ts'
import { platformRequest } from '../platform-user.ts'
import { teamNames } from './user-name.ts'

const manager = 'sign-on'
/** Limit for one connector: at some providers, every account holder can create groups. */
const mostCreated = 500

export interface CreatedTeamsParts {
  readonly teams: () => ResourceContext
  readonly directory: Pick<Directory, 'teamsOfGroups'>
  readonly isNamedElsewhere: (name: string) => boolean
  readonly log: Log
}

/** Creates a Team for each group that is in no team yet, under a name that no permission refers to. */
export async function createTeams(
  parts: CreatedTeamsParts,
  groups: readonly string[],
  connector: string,
): Promise<void> {
  const unknown = groups.filter((group) => parts.directory.teamsOfGroups([group]).length === 0)
  if (unknown.length === 0) return
  const room = Math.max(mostCreated - createdBy(connector, parts), 0)
  for (const group of unknown.slice(0, room)) await createTeam(parts, group, connector)
  if (unknown.length > room) {
    const left = unknown.length - room
    parts.log.warn('a connector has created as many teams as it may', { connector, most: mostCreated, left })
  }
}

function createdBy(connector: string, { teams }: CreatedTeamsParts): number {
  const { cache, kind } = teams()
  const all = [...cache.current().values()]
  return all.filter(({ object }) => object.metadata.annotations?.[annotationOf(kind.group)] === connector).length
}

function annotationOf(group: string): string {
  return `${group}/connector`
}

/** Concurrent sign-ins agree on one name. */
async function createTeam(parts: CreatedTeamsParts, group: string, connector: string): Promise<void> {
  const teams = parts.teams()
  const { kind } = teams
  const isThere = () => parts.directory.teamsOfGroups([group]).length > 0
  // Another sign-in may have created it since, and its name would look taken.
  if (isThere()) return
  for (const name of teamNames(group, parts.isNamedElsewhere)) {
    const metadata = { name, annotations: { [annotationOf(kind.group)]: connector } }
    const spec = { displayName: group, groups: [group] }
    const value = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata, spec }
    const request = platformRequest(manager, new AbortController().signal)
    try {
      await createObject(teams, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
      return
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
      if (!teams.engine.store.soleWriter) await caughtUp(teams.engine)
      if (isThere()) return
    }
  }
}
