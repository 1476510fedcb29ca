import type { ApiGroup, CatalogResource, DiscoveredSubresource } from './catalog.ts'

export type AggregatedVersion = 'v2' | 'v2beta1'

/** Groups with all their contents, so that a client needs two requests to know everything. */
export function aggregatedDiscovery(groups: readonly ApiGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupItem),
  }
}

function groupItem({ name, versions }: ApiGroup) {
  return {
    metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
    versions: versions.map(({ version, resources, foreign }) => ({
      version,
      resources: resources.map(resourceItem),
      freshness: foreign === 'stale' ? 'Stale' : 'Current',
    })),
  }
}

function resourceItem(resource: CatalogResource) {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource
  return {
    resource: plural,
    responseKind: responseKind(resource, resource.kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources: subresources.map((each) => subresourceItem(resource, each)) }),
  }
}

function subresourceItem(resource: CatalogResource, { name, kind, verbs }: DiscoveredSubresource) {
  return { subresource: name, responseKind: responseKind(resource, kind), verbs }
}

/** For built-in kinds, group and version are implied by the position. */
function responseKind(resource: CatalogResource, kind: DiscoveredSubresource['kind']) {
  const isOwn = kind.group === resource.kind.group && kind.version === resource.kind.version
  const isImplied = isOwn && resource.flavor === 'builtin'
  return isImplied
    ? { group: '', version: '', kind: kind.kind }
    : { group: kind.group, version: kind.version, kind: kind.kind }
}
