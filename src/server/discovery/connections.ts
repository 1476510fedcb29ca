import type { Catalog, CatalogResource, DiscoveredSubresource } from './catalog.ts'

/** Connections into Pods and to kubelets, as Kubernetes lists them. */
const proxied = ['create', 'delete', 'get', 'patch', 'update']

const connections: Readonly<Record<string, readonly DiscoveredSubresource[]>> = {
  nodes: [connection('proxy', 'NodeProxyOptions', proxied)],
  pods: [
    connection('attach', 'PodAttachOptions', ['create', 'get']),
    connection('exec', 'PodExecOptions', ['create', 'get']),
    connection('log', 'Pod', ['get']),
    connection('portforward', 'PodPortForwardOptions', ['create', 'get']),
    connection('proxy', 'PodProxyOptions', proxied),
  ],
  services: [connection('proxy', 'ServiceProxyOptions', proxied)],
}

function connection(name: string, kind: string, verbs: readonly string[]): DiscoveredSubresource {
  return { name, kind: { group: '', version: 'v1', kind }, verbs }
}

/** The catalog of a server that offers connections into Pods. */
export function withConnections({ groups }: Catalog): Catalog {
  return {
    groups: groups.map((group) => {
      if (group.name !== '') return group
      const versions = group.versions.map((each) => ({ ...each, resources: each.resources.map(connected) }))
      return { ...group, versions }
    }),
  }
}

function connected(resource: CatalogResource): CatalogResource {
  const added = connections[resource.plural]
  if (added === undefined) return resource
  const subresources = [...resource.subresources, ...added]
  return { ...resource, subresources: subresources.sort((left, right) => (left.name < right.name ? -1 : 1)) }
}
