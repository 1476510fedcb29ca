import type { KubeObject } from '../../api/object.ts'
import { teamGroup, userGroup } from '../../auth/keys/key-owner.ts'
import { serviceAccountUserName } from '../../auth/service-account-name.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { followCache } from '../follow.ts'
import { type StoredTeam, storedTeam, storedUser } from '../owners/stored-owner.ts'
import { projectMembers } from '../projects/members.ts'
import type { ViewChanges } from './view-changes.ts'
import { viewerGroup, viewerName } from './viewer.ts'

export interface ViewChangeSources {
  readonly managementGroup: string
  readonly contextOf: (kind: string) => ResourceContext
  readonly roleContextOf: (kind: string) => ResourceContext
}

/** The users and groups that see more or less because an object changed; `all` if finding them would take a search. */
type Concerned = ReadonlySet<string> | 'all'
type FindConcerned = (now: KubeObject | undefined, before: KubeObject | undefined) => Concerned

/** Records which users and groups each change affects. Returns functions that stop it. */
export function feedViewChanges(changes: ViewChanges, sources: ViewChangeSources): readonly (() => void)[] {
  const { contextOf, roleContextOf, managementGroup } = sources
  const { feed } = contextOf('Project').engine
  // Changes from before this process began are not known.
  changes.changedForAll(feed.revision)
  const ofRole: FindConcerned = (now, before) => concernedByRole(now, before, managementGroup)
  return [
    follow(changes, contextOf('Project'), concernedByProject),
    follow(changes, contextOf('User'), concernedByUser),
    follow(changes, contextOf('Team'), concernedByTeam),
    ...['Role', 'ClusterRole'].map((kind) => follow(changes, roleContextOf(kind), ofRole)),
    ...['RoleBinding', 'ClusterRoleBinding'].map((kind) => follow(changes, roleContextOf(kind), concernedByBinding)),
  ]
}

function follow(changes: ViewChanges, { cache }: ResourceContext, find: FindConcerned): () => void {
  const note = ({ revision }: StoredDocument, concerned: Concerned): void => {
    if (concerned === 'all') changes.changedForAll(revision)
    else changes.changed(concerned, revision)
  }
  return followCache(cache, {
    first: () => {},
    put: (document, previous) => note(document, find(document.object, previous?.object)),
    remove: (document) => note(document, find(undefined, document.object)),
  })
}

function concernedByProject(now: KubeObject | undefined, before: KubeObject | undefined): Concerned {
  const members = (project: KubeObject | undefined): ReadonlySet<string> =>
    new Set(
      (project === undefined ? [] : projectMembers(project)).map(({ kind, name }) =>
        viewerGroup(kind === 'User' ? userGroup(name) : teamGroup(name)),
      ),
    )
  return difference(members(now), members(before))
}

/** A change of teams changes the groups of the user from the next request on, so open watches end. */
function concernedByUser(now: KubeObject | undefined, before: KubeObject | undefined): Concerned {
  const belongings = (user: KubeObject | undefined): string => {
    const { subject, groups, signOnGroups } = user === undefined ? noUser : storedUser(user)
    return JSON.stringify([subject, groups, signOnGroups])
  }
  if (belongings(now) === belongings(before)) return noOne
  const users = [now, before].flatMap((each) => (each === undefined ? [] : [storedUser(each)]))
  return new Set(users.flatMap(({ name, subject }) => [viewerGroup(userGroup(name)), viewerName(subject)]))
}

function concernedByTeam(now: KubeObject | undefined, before: KubeObject | undefined): Concerned {
  const [after, earlier] = [now, before].map((each) => (each === undefined ? noTeam : storedTeam(each))) as [Team, Team]
  if (difference(after.memberGroups, earlier.memberGroups).size > 0) return 'all'
  const users = [...difference(after.users, earlier.users)].map((user) => viewerGroup(userGroup(user)))
  const name = (now ?? before)?.metadata.name ?? ''
  return new Set(now !== undefined && before !== undefined ? users : [...users, viewerGroup(teamGroup(name))])
}

type Team = Pick<StoredTeam, 'users' | 'memberGroups'>
const noTeam: Team = { users: new Set(), memberGroups: new Set() }
const noUser = { subject: '', groups: [], signOnGroups: [] }
const noOne: Concerned = new Set()

/** Does not search which bindings grant a role, and to whom: roles that matter here seldom change. */
function concernedByRole(
  now: KubeObject | undefined,
  before: KubeObject | undefined,
  managementGroup: string,
): Concerned {
  const rules = [now, before].map((role) => JSON.stringify(role?.rules ?? []))
  if (rules[0] === rules[1]) return noOne
  return rules.some((text) => text.includes(JSON.stringify(managementGroup)) || text.includes('"*"')) ? 'all' : noOne
}

/** Some bindings are for all users: changing a label must not end all their watches. */
function concernedByBinding(now: KubeObject | undefined, before: KubeObject | undefined): Concerned {
  const [after, earlier] = [viewersOf(now), viewersOf(before)]
  const isSameRole = JSON.stringify(now?.roleRef) === JSON.stringify(before?.roleRef)
  return isSameRole ? difference(after, earlier) : new Set([...after, ...earlier])
}

function viewersOf(binding: KubeObject | undefined): ReadonlySet<string> {
  const subjects: readonly unknown[] = Array.isArray(binding?.subjects) ? binding.subjects : []
  return new Set(subjects.filter(isJsonObject).flatMap(viewerOfSubject))
}

function viewerOfSubject({ kind, name, namespace }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof name !== 'string') return []
  switch (kind) {
    case 'Group':
      return [viewerGroup(name)]
    case 'ServiceAccount':
      return typeof namespace === 'string' ? [viewerName(serviceAccountUserName(namespace, name))] : []
    default:
      return [viewerName(name)]
  }
}

/** Elements that are in only one of the sets. */
function difference(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...[...left].filter((each) => !right.has(each)), ...[...right].filter((each) => !left.has(each))])
}
