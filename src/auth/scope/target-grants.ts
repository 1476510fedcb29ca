import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ScopeEnvironment, ScopeGrant } from './grant.ts'
import { managementGrant } from './management-grant.ts'
import type { Namespaces } from './namespace-pattern.ts'
import { linkedResource } from './privilege.ts'
import { projectNamespace } from './request.ts'
import { wholeResource } from './resource-pattern.ts'
import type { TargetPattern } from './target-pattern.ts'
import { namedTexts, type Texts, textOrAny, wildcard } from './texts.ts'

/** The grants of entries about projects, spaces, virtual clusters and clusters. */
export function targetGrants(scope: AccessKeyScope, { managementGroup }: ScopeEnvironment): readonly ScopeGrant[] {
  const groups = namedTexts([managementGroup])
  return [
    ...(scope.projects ?? []).flatMap((each, index) =>
      projectGrants(`spec.scope.projects[${index}]`, each.project ?? '', groups),
    ),
    ...(scope.spaces ?? []).flatMap((each, index) =>
      spaceGrants(`spec.scope.spaces[${index}]`, each.project ?? '', each.space ?? '', groups),
    ),
    ...(scope.virtualClusters ?? []).flatMap((each, index) =>
      virtualClusterGrants(
        `spec.scope.virtualClusters[${index}]`,
        each.project ?? '',
        each.virtualCluster ?? '',
        groups,
      ),
    ),
    ...(scope.clusters ?? []).flatMap((each, index) =>
      clusterGrants(`spec.scope.clusters[${index}]`, each.cluster ?? '', groups),
    ),
  ]
}

/** Keys, users and teams belong to no project. */
function projectGrants(entry: string, project: string, groups: Texts): readonly ScopeGrant[] {
  const projects = textOrAny(project)
  const resources = [...wholeResource('spaceinstances'), ...wholeResource(linkedResource)]
  return [
    managementGrant({ entry, groups, resources: wholeResource('projects'), names: projects }),
    managementGrant({ entry, groups, resources, namespaces: namespacesOfProject(project) }),
    ...everythingIn(entry, { kind: 'space', project: projects, space: undefined }),
    ...everythingIn(entry, { kind: 'virtual-cluster', project: projects, virtualCluster: undefined }),
  ]
}

function spaceGrants(entry: string, project: string, space: string, groups: Texts): readonly ScopeGrant[] {
  const [names, namespaces] = [textOrAny(space), namespacesOfProject(project)]
  return [
    managementGrant({ entry, groups, resources: wholeResource('spaceinstances'), names, namespaces }),
    ...everythingIn(entry, { kind: 'space', project: textOrAny(project), space: names }),
  ]
}

function virtualClusterGrants(entry: string, project: string, name: string, groups: Texts): readonly ScopeGrant[] {
  const [names, namespaces] = [textOrAny(name), namespacesOfProject(project)]
  return [
    managementGrant({ entry, groups, resources: wholeResource(linkedResource), names, namespaces }),
    ...everythingIn(entry, { kind: 'virtual-cluster', project: textOrAny(project), virtualCluster: names }),
  ]
}

function clusterGrants(entry: string, cluster: string, groups: Texts): readonly ScopeGrant[] {
  const names = textOrAny(cluster)
  return [
    managementGrant({ entry, groups, resources: wholeResource('clusters'), names }),
    ...everythingIn(entry, { kind: 'cluster', cluster: names }),
  ]
}

function everythingIn(entry: string, target: TargetPattern): readonly ScopeGrant[] {
  const everything = { entry, target, verbs: undefined }
  return [
    {
      form: 'resource',
      ...everything,
      groups: undefined,
      resources: undefined,
      names: undefined,
      namespaces: undefined,
      privilege: 'ordinary',
    },
    { form: 'path', ...everything, paths: undefined },
  ]
}

/** An empty name, which is invalid, does not name a project. */
function namespacesOfProject(project: string): Namespaces {
  if (project === wildcard) return undefined
  return { names: namedTexts([project === '' ? '' : projectNamespace(project)]), outside: false }
}
