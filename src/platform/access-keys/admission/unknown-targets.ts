import type { ResourceAttributes } from '../../../api/access.ts'
import type { AccessKeyScope } from '../../../api/types/management.ts'
import { projectNamespace } from '../../../auth/scope/request.ts'
import { wildcard } from '../../../auth/scope/texts.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import type { KeyParts } from '../parts.ts'

/** Limit of lookups, because a scope may name hundreds. */
const mostLookedAt = 20

/** The object that an entry of a scope names. */
export interface TargetOfScope {
  readonly entry: string
  readonly kind: 'Project' | 'SpaceInstance' | 'VirtualClusterInstance' | 'Cluster'
  readonly namespace: string
  readonly name: string
}

const words: Readonly<Record<TargetOfScope['kind'], readonly [word: string, resource: string]>> = {
  Project: ['project', 'projects'],
  SpaceInstance: ['space', 'spaceinstances'],
  VirtualClusterInstance: ['virtual cluster', 'virtualclusterinstances'],
  Cluster: ['cluster', 'clusters'],
}

type Asking = Pick<WriteRequest, 'user' | 'warn' | 'authorize'>

/**
 * An entry that names a missing object is probably a mistake. The warning is the same for an object that the caller may
 * not get, so that it reveals nothing.
 */
export async function warnOfUnknownTargets(
  scope: AccessKeyScope,
  request: Asking,
  parts: Pick<KeyParts, 'environment' | 'isStored'>,
): Promise<void> {
  for (const target of namedTargets(scope).slice(0, mostLookedAt)) {
    if (!(await isSeen(target, request, parts))) request.warn(unknownTarget(target))
  }
}

async function isSeen(
  target: TargetOfScope,
  { user, authorize }: Asking,
  { environment, isStored }: Pick<KeyParts, 'environment' | 'isStored'>,
): Promise<boolean> {
  const { kind, namespace, name } = target
  const [, resource] = words[kind]
  const group = environment.managementGroup
  const asked: ResourceAttributes = {
    user,
    verb: 'get',
    group,
    version: 'v1',
    resource,
    subresource: '',
    namespace,
    name,
  }
  const { verdict } = await authorize(asked)
  return verdict === 'allow' && isStored(kind, { namespace, name })
}

function unknownTarget({ entry, kind, name }: TargetOfScope): string {
  const [word] = words[kind]
  return `${entry}: there is no ${word} ${JSON.stringify(name)} that you may get; if it does not exist, the entry grants nothing until it does`
}

/** The targets of entries without a wildcard. */
function namedTargets({ projects, spaces, virtualClusters, clusters }: AccessKeyScope): readonly TargetOfScope[] {
  const targets: readonly TargetOfScope[] = [
    ...(projects ?? []).map(({ project = '' }, index) => ({
      entry: `spec.scope.projects[${index}]`,
      kind: 'Project' as const,
      namespace: '',
      name: project,
    })),
    ...(spaces ?? []).map(({ project = '', space = '' }, index) => ({
      entry: `spec.scope.spaces[${index}]`,
      kind: 'SpaceInstance' as const,
      namespace: namespaceOf(project),
      name: space,
    })),
    ...(virtualClusters ?? []).map(({ project = '', virtualCluster = '' }, index) => ({
      entry: `spec.scope.virtualClusters[${index}]`,
      kind: 'VirtualClusterInstance' as const,
      namespace: namespaceOf(project),
      name: virtualCluster,
    })),
    ...(clusters ?? []).map(({ cluster = '' }, index) => ({
      entry: `spec.scope.clusters[${index}]`,
      kind: 'Cluster' as const,
      namespace: '',
      name: cluster,
    })),
  ]
  return targets.filter(({ namespace, name }) => namespace !== wildcard && name !== wildcard)
}

function namespaceOf(project: string): string {
  return project === wildcard ? wildcard : projectNamespace(project)
}
