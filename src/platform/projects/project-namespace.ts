import type { KubeObject } from '../../api/object.ts'
import { projectNamespace } from '../../auth/scope/request.ts'

/** On namespaces that the platform has made: which project each of them is for. */
const projectLabel = 'platform.internal/project'

export function namespaceFor(project: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: projectNamespace(project), labels: { [projectLabel]: project } },
  }
}

/** Whether it may go with its project: it was made for it, and is not on its way out already. */
export function isMadeForProject({ metadata }: KubeObject): boolean {
  const { name, labels, deletionTimestamp } = metadata
  const project = labels?.[projectLabel]
  return deletionTimestamp === undefined && project !== undefined && name === projectNamespace(project)
}
