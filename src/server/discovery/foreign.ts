import type { AggregatedApi, AggregatedResource } from '../../registry/aggregation/contract.ts'
import { type ApiGroup, type Catalog, type CatalogResource, groupedBy, type Version } from './catalog.ts'

/** The APIs behind APIServices. */
export interface AggregatedCatalog {
  all(): readonly AggregatedApi[]
  onChange(listener: () => void): void
}

/** Groups and versions of other servers follow those served here. */
export function withAggregated(catalog: Catalog, apis: readonly AggregatedApi[]): Catalog {
  const groups = new Map<string, ApiGroup>(catalog.groups.map((group) => [group.name, group]))
  for (const api of apis) {
    const known = groups.get(api.group)?.versions ?? []
    groups.set(api.group, { name: api.group, versions: [...known, versionOf(api)] })
  }
  return { groups: [...groups.values()] }
}

/** Until its server has reported its resources, clients must know that the list is incomplete. */
function versionOf({ group, version, isAvailable, resources }: AggregatedApi): Version {
  const below = groupedBy(resources ?? [], ({ name }) => name.split('/', 1)[0] ?? '')
  const listed = (resources ?? []).filter(({ name }) => !name.includes('/'))
  return {
    version,
    foreign: isAvailable && resources !== undefined ? 'reached' : 'stale',
    resources: listed.map((resource) => resourceOf(resource, { group, version }, below.get(resource.name) ?? [])),
  }
}

function resourceOf(
  resource: AggregatedResource,
  own: { readonly group: string; readonly version: string },
  named: readonly AggregatedResource[],
): CatalogResource {
  const { name, singularName, namespaced, verbs, shortNames, categories } = resource
  const prefix = `${name}/`
  const below = named.filter((each) => each !== resource)
  return {
    plural: name,
    singular: singularName,
    namespaced,
    kind: kindOf(resource, own),
    flavor: 'custom',
    verbs,
    shortNames,
    categories,
    subresources: below.map((each) => ({
      name: each.name.slice(prefix.length),
      kind: kindOf(each, own),
      verbs: each.verbs,
    })),
  }
}

function kindOf(
  { group, version, kind }: AggregatedResource,
  own: { readonly group: string; readonly version: string },
): CatalogResource['kind'] {
  return { group: group === '' ? own.group : group, version: version === '' ? own.version : version, kind }
}
