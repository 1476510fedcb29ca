import type { AccessKeyScope, AccessKeySpec } from '../../api/objects.ts'
import { isAboutProjects } from '../scope-words.ts'

/** A key as the user assembles it, step by step. */
export interface KeyDraft {
  readonly displayName: string
  readonly description: string
  readonly owner: { readonly kind: 'self' | 'user' | 'team'; readonly name: string }
  /** In seconds; 0: no end. */
  readonly ttl: number
  readonly isSliding: boolean
  readonly isLimited: boolean
  readonly scope: ScopeDraft
}

/** Everything that can be picked, as text; `project/name` for objects of a project. */
export interface ScopeDraft {
  readonly roles: readonly string[]
  /** Projects that the roles are limited to. */
  readonly roleProjects: readonly string[]
  readonly projects: readonly string[]
  readonly virtualClusters: readonly string[]
  readonly spaces: readonly string[]
  readonly clusters: readonly string[]
}

const dayS = 86_400

export const lifePresets: readonly (readonly [number, string])[] = [
  [3_600, '1 hour'],
  [dayS, '1 day'],
  [7 * dayS, '7 days'],
  [30 * dayS, '30 days'],
  [90 * dayS, '90 days'],
  [365 * dayS, '1 year'],
  [0, 'No end'],
]

export const emptyDraft: KeyDraft = {
  displayName: '',
  description: '',
  owner: { kind: 'self', name: '' },
  ttl: 30 * dayS,
  isSliding: false,
  isLimited: true,
  scope: { roles: [], roleProjects: ['*'], projects: [], virtualClusters: [], spaces: [], clusters: [] },
}

export function specOf(draft: KeyDraft): AccessKeySpec {
  const { displayName, description, owner, ttl, isSliding, isLimited } = draft
  return {
    displayName: displayName.trim(),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(owner.kind === 'user' ? { user: owner.name } : owner.kind === 'team' ? { team: owner.name } : {}),
    ...(ttl === 0 ? {} : { ttl }),
    ...(ttl > 0 && isSliding ? { ttlAfterLastActivity: true } : {}),
    type: 'User',
    ...(isLimited ? { scope: scopeOf(draft.scope) } : {}),
  }
}

function scopeOf({ roles, roleProjects, projects, virtualClusters, spaces, clusters }: ScopeDraft): AccessKeyScope {
  return {
    ...some(
      'roles',
      roles.map((role) => ({ role, ...(isAboutProjects(role) ? { projects: roleProjects } : {}) })),
    ),
    ...some(
      'projects',
      projects.map((project) => ({ project })),
    ),
    ...some(
      'virtualClusters',
      virtualClusters.map((text) => withProject(text, 'virtualCluster')),
    ),
    ...some(
      'spaces',
      spaces.map((text) => withProject(text, 'space')),
    ),
    ...some(
      'clusters',
      clusters.map((cluster) => ({ cluster })),
    ),
  }
}

function some<Item>(name: string, items: readonly Item[]): Readonly<Record<string, readonly Item[]>> {
  return items.length === 0 ? {} : { [name]: items }
}

function withProject(text: string, member: string): Readonly<Record<string, string>> {
  if (text === '*') return { project: '*', [member]: '*' }
  const slash = text.indexOf('/')
  return { project: text.slice(0, slash), [member]: text.slice(slash + 1) }
}

/** A limit that allows nothing would count as no limit at all; so would a role that is limited to no project. */
export function isScopeEmpty({ isLimited, scope }: KeyDraft): boolean {
  const { roles, roleProjects, projects, virtualClusters, spaces, clusters } = scope
  const isNothingPicked = [roles, projects, virtualClusters, spaces, clusters].every((list) => list.length === 0)
  return isLimited && (isNothingPicked || (roles.some(isAboutProjects) && roleProjects.length === 0))
}
