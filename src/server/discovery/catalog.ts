import { createHash } from 'node:crypto'
import type { Kind } from '../../api/kind.ts'
import { comparePreference } from '../../api/version-order.ts'
import { type ReviewResource, reviewVerb } from '../reviews/contract.ts'
import { groupRank } from './group-order.ts'

/** Everything that is served, by group and version, in order of registration. */
export interface Catalog {
  readonly groups: readonly ApiGroup[]
}

export interface ApiGroup {
  readonly name: string
  /** The first version is preferred. */
  readonly versions: readonly Version[]
}

export interface Version {
  readonly version: string
  readonly resources: readonly CatalogResource[]
  /** Set if another server answers, by whether it can be reached. Absent: this server answers. */
  readonly foreign?: 'reached' | 'stale'
}

export interface CatalogResource {
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly kind: GroupVersionKindOf
  readonly flavor: Kind['flavor']
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly DiscoveredSubresource[]
  /** Changes when objects are stored in another form; absent for kinds that are not stored. */
  readonly storageVersionHash?: string
}

export interface DiscoveredSubresource {
  readonly name: string
  readonly kind: GroupVersionKindOf
  readonly verbs: readonly string[]
}

interface GroupVersionKindOf {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export function catalogOf(kinds: readonly Kind[], reviews: readonly ReviewResource[]): Catalog {
  const resources = [
    ...kinds.map((kind) => kindResource(kind, reviews)),
    ...reviews.filter(({ parent }) => parent === undefined).map(reviewResource),
  ]
  const groups = groupedBy(resources, ({ kind }) => kind.group)
  const listed = [...groups].map(([name, members]) => ({ name, versions: versionsOf(members) }))
  return { groups: listed.toSorted((left, right) => groupRank(left.name) - groupRank(right.name)) }
}

function versionsOf(resources: readonly CatalogResource[]): readonly Version[] {
  const versions = groupedBy(resources, ({ kind }) => kind.version)
  const listed = [...versions].map(([version, members]) => ({ version, resources: members.toSorted(byPlural) }))
  const isCustom = resources.every(({ flavor }) => flavor === 'custom')
  return isCustom ? listed.sort((left, right) => comparePreference(left.version, right.version)) : listed
}

function byPlural(left: CatalogResource, right: CatalogResource): number {
  return left.plural < right.plural ? -1 : 1
}

/** Keeps the order in which the keys first occur. */
export function groupedBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}

/** kube-apiserver lists the verbs of its own kinds and those of custom resources in different orders. */
const verbOrder: Readonly<Record<Kind['flavor'], readonly string[]>> = {
  builtin: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  custom: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
}

function kindResource(kind: Kind, reviews: readonly ReviewResource[]): CatalogResource {
  const { group, version, plural, singular, namespaced, flavor, shortNames = [], categories = [] } = kind
  return {
    plural,
    singular,
    namespaced,
    kind: { group, version, kind: kind.kind },
    flavor,
    verbs: verbOrder[flavor].filter((verb) => kind.withoutVerbs?.includes(verb) !== true),
    shortNames,
    categories,
    subresources: subresourcesOf(kind, reviews),
    ...(kind.withoutVerbs?.includes('create') !== true && { storageVersionHash: storageVersionHash(kind) }),
  }
}

const scaleType = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** Computed as in Kubernetes, so that tools comparing clusters find equal hashes. */
function storageVersionHash({ group, version, kind, storedAs }: Kind): string {
  const stored =
    storedAs === undefined ? `${group}/${version}/${kind}` : `${storedAs.group}/${storedAs.version ?? 'v1'}/${kind}`
  return hashOf(stored === definition ? olderDefinition : stored)
}

/** Kubernetes stores definitions in their first version. */
const definition = 'apiextensions.k8s.io/v1/CustomResourceDefinition'
const olderDefinition = 'apiextensions.k8s.io/v1beta1/CustomResourceDefinition'

function hashOf(stored: string): string {
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64')
}

function subresourcesOf(kind: Kind, reviews: readonly ReviewResource[]): readonly DiscoveredSubresource[] {
  const { group, version, plural } = kind
  const own = { group, version, kind: kind.kind }
  const verbs = ['get', 'patch', 'update']
  const scale = kind.scale === undefined ? [] : [{ name: 'scale', kind: scaleType, verbs }]
  const status = kind.hasStatus ? [{ name: 'status', kind: own, verbs }] : []
  const parented = reviews.filter((review) => review.parent === plural && parentGroup(review) === group)
  return [
    ...Object.entries(kind.partialUpdates ?? {})
      .filter(([, { verbs }]) => verbs.length > 0)
      .map(([name, { verbs }]) => ({ name, kind: own, verbs })),
    ...(kind.flavor === 'custom' ? [...status, ...scale] : [...scale, ...status]),
    ...parented.map((review) => ({ name: review.plural, kind: review, verbs: [reviewVerb(review)] })),
  ]
}

function parentGroup({ group, hasOwnParent }: ReviewResource): string {
  return hasOwnParent === true ? group : ''
}

function reviewResource(review: ReviewResource): CatalogResource {
  const { group, version, kind, plural, singular, namespaced } = review
  return {
    plural,
    singular,
    namespaced,
    kind: { group, version, kind },
    flavor: 'builtin',
    verbs: [reviewVerb(review)],
    shortNames: [],
    categories: [],
    subresources: [],
  }
}
