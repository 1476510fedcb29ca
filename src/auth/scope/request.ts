import type { Attributes, PathAttributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'

/** The wildcard of every scope entry. */
export const all = '*'

const projectNamespacePrefix = 'p-'
const management: RequestTarget = { kind: 'management' }

export function targetOf(attributes: Attributes): RequestTarget {
  return attributes.target ?? management
}

export function isResourceRequest(attributes: Attributes): attributes is ResourceAttributes {
  return 'resource' in attributes
}

export function isPathRequest(attributes: Attributes): attributes is PathAttributes {
  return 'path' in attributes
}

/** Where the management objects of a project live. */
export function projectNamespace(project: string): string {
  return projectNamespacePrefix + project
}

/** The project whose management objects live in the namespace; undefined for any other namespace. */
export function projectOfNamespace(namespace: string): string | undefined {
  return namespace.length > projectNamespacePrefix.length && namespace.startsWith(projectNamespacePrefix)
    ? namespace.slice(projectNamespacePrefix.length)
    : undefined
}

/** An entry's name against a request's; a request that names nothing is about all, which only the wildcard covers. */
export function covers(wanted: string, actual: string): boolean {
  return wanted === all || (actual !== '' && wanted === actual)
}
