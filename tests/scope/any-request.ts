import type { Chance } from './chance.ts'
import { managementGroup, type Request, type Target } from './model.ts'
import {
  clusters,
  groups,
  managementResources,
  namespaces,
  otherResources,
  paths,
  projects,
  spaces,
  subresources,
  verbs,
  virtualClusters,
} from './words.ts'

export function targetBy(chance: Chance): Target {
  const project = chance.pick(projects)
  if (chance.often(0.55)) return { kind: 'management' }
  switch (chance.below(3)) {
    case 0:
      return { kind: 'cluster', cluster: chance.pick(clusters) }
    case 1:
      return { kind: 'space', project, space: chance.pick(spaces) }
    default:
      return { kind: 'virtual-cluster', project, virtualCluster: chance.pick(virtualClusters) }
  }
}

export function anyRequest(chance: Chance): Request {
  const target = targetBy(chance)
  if (chance.often(0.15)) return { verb: chance.pick(['get', 'get', 'post', 'put']), path: chance.pick(paths), target }
  const group =
    target.kind === 'management' ? chance.pick([managementGroup, managementGroup, '', 'apps']) : chance.pick(groups)
  return {
    verb: chance.pick(verbs),
    group,
    resource: group === managementGroup ? chance.pick(managementResources) : chance.pick(otherResources),
    subresource: chance.often(0.7) ? '' : chance.pick(subresources),
    namespace: chance.pick(namespaces),
    name: chance.pick(['', 'x', 'v', 'w', 's', 'a', 'b', 'c', '..']),
    target,
  }
}
