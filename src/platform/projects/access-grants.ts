import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Authorizer, RuleSet } from '../../auth/contract.ts'
import { asText, asTexts } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Document } from '../../registry/contract.ts'
import type { ObjectId } from '../../registry/document.ts'
import { followCache } from '../follow.ts'
import type { Directory } from '../owners/directory.ts'
import { type AccessGrant, GrantTable } from './grant-table.ts'

export const grantingKinds = ['Project', 'SpaceInstance', 'VirtualClusterInstance', 'Cluster'] as const

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }

export function accessGrantsOf({ spec }: KubeObject): readonly AccessGrant[] {
  const access = isJsonObject(spec) ? spec.access : undefined
  return Array.isArray(access) ? access.filter(isJsonObject).map(grantOf) : []
}

function grantOf({ verbs, clusterRole, users, teams }: Readonly<Record<string, unknown>>): AccessGrant {
  return {
    verbs: asTexts(verbs),
    clusterRole: asText(clusterRole),
    users: asTexts(users),
    teams: asTexts(teams),
  }
}

const noGrants = new GrantTable([])
/** Without the leading quote: a search looks for the first letter, and JSON is full of quotes. */
const accessMember = Buffer.from('access":')
/**
 * Includes objects that grant nothing: every watch asks about the same states, and searching one takes time in
 * proportion to its size.
 */
const grantsOfDocuments = new WeakMap<Document, GrantTable>()

/** Whether this state of an object grants the user a verb on it. */
export function grantsVerb(document: Document, verb: string, user: UserInfo, directory: Directory): boolean {
  return grantsIn(document).gives(verb, user, directory)
}

function grantsIn(document: Document): GrantTable {
  const known = grantsOfDocuments.get(document)
  if (known !== undefined) return known
  const grants = document.itemJson.includes(accessMember) ? new GrantTable(accessGrantsOf(document.object)) : noGrants
  grantsOfDocuments.set(document, grants)
  return grants
}

/** Authorizes by `spec.access`, which grants rights on that object only. */
export class AccessGrants implements Authorizer {
  readonly #grants = new Map<string, GrantTable>()
  readonly #directory: Directory
  readonly #group: string

  constructor(directory: Directory, managementGroup: string) {
    this.#directory = directory
    this.#group = managementGroup
  }

  put(plural: string, object: KubeObject): void {
    const { name = '', namespace = '' } = object.metadata
    const grants = accessGrantsOf(object)
    if (grants.length === 0) this.remove(plural, namespace, name)
    else this.#grants.set(placeOf(plural, namespace, name), new GrantTable(grants))
  }

  remove(plural: string, namespace: string, name: string): void {
    this.#grants.delete(placeOf(plural, namespace, name))
  }

  authorize(attributes: Attributes): Decision {
    if ('path' in attributes || attributes.group !== this.#group) return noOpinion
    if (attributes.target !== undefined && attributes.target.kind !== 'management') return noOpinion
    const { user, verb, resource, subresource, namespace, name } = attributes
    if (subresource !== '' || name === '') return noOpinion
    const grants = this.#grants.get(placeOf(resource, namespace, name)) ?? noGrants
    return grants.gives(verb, user, this.#directory)
      ? { verdict: 'allow', reason: `spec.access of ${resource} ${name}` }
      : noOpinion
  }

  /** The ClusterRoles that the object grants to the user inside it. */
  rolesInside(user: UserInfo, plural: string, namespace: string, name: string): readonly string[] {
    const grants = this.#grants.get(placeOf(plural, namespace, name)) ?? noGrants
    const roles = grants.to(user, this.#directory).map(({ clusterRole }) => clusterRole)
    return [...new Set(roles.filter((role) => role !== ''))]
  }

  rulesFor(user: UserInfo, namespace: string): RuleSet {
    const resourceRules = [...this.#grants].flatMap(([place, grants]) => {
      const [resource = '', where, name = ''] = place.split('/')
      if (where !== namespace && where !== '') return []
      const verbs = grants.to(user, this.#directory).flatMap((grant) => grant.verbs)
      if (verbs.length === 0) return []
      return [{ verbs: [...new Set(verbs)], apiGroups: [this.#group], resources: [resource], resourceNames: [name] }]
    })
    return { resourceRules, pathRules: [], incomplete: false }
  }
}

/** Keeps the grants in step with the stored objects of a kind. */
export function feedGrants(grants: AccessGrants, { kind, cache }: ResourceContext): () => void {
  const remove = ({ namespace, name }: ObjectId): void => grants.remove(kind.plural, namespace, name)
  return followCache(cache, { put: ({ object }) => grants.put(kind.plural, object), remove, unreadable: remove })
}

function placeOf(plural: string, namespace: string, name: string): string {
  return `${plural}/${namespace}/${name}`
}
