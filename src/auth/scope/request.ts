import type { Attributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'

const projectNamespacePrefix = 'p-'
const management: RequestTarget = { kind: 'management' }

export function targetOf(attributes: Attributes): RequestTarget {
  return attributes.target ?? management
}

export function isResourceRequest(attributes: Attributes): attributes is ResourceAttributes {
  return 'resource' in attributes
}

/** The namespace of a project's management objects. */
export function projectNamespace(project: string): string {
  return projectNamespacePrefix + project
}

/** The project whose management objects the namespace contains; undefined for any other namespace. */
export function projectOfNamespace(namespace: string): string | undefined {
  return namespace.length > projectNamespacePrefix.length && namespace.startsWith(projectNamespacePrefix)
    ? namespace.slice(projectNamespacePrefix.length)
    : undefined
}
