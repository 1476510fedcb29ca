import { apiVersionOf } from '../../api/object.ts'
import type { ApiGroup, Catalog, CatalogResource, DiscoveredSubresource, Version } from './catalog.ts'

export function apiVersions(catalog: Catalog, serverAddress: string): object {
  const core = catalog.groups.find(({ name }) => name === '')
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

export function apiGroupList(catalog: Catalog): object {
  const groups = catalog.groups.filter(({ name }) => name !== '').map(groupEntry)
  return { kind: 'APIGroupList', apiVersion: 'v1', groups }
}

export function apiGroup(group: ApiGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: ApiGroup) {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** The list of the core group has no apiVersion, as in kube-apiserver. */
export function apiResourceList(group: string, { version, resources }: Version): object {
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap((resource) => [
      resourceEntry(resource),
      ...resource.subresources.map((subresource) => subresourceEntry(resource, subresource)),
    ]),
  }
}

function resourceEntry(resource: CatalogResource) {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, storageVersionHash } = resource
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind: kind.kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  }
}

function subresourceEntry(resource: CatalogResource, { name, kind, verbs }: DiscoveredSubresource) {
  const isForeign = kind.group !== resource.kind.group || kind.version !== resource.kind.version
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isForeign ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs,
  }
}
