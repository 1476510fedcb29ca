import { aimedRequest } from './aims.ts'
import { anyRequest, targetBy } from './any-request.ts'
import type { Chance } from './chance.ts'
import type { Request, Scope, Target } from './model.ts'
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

/** About half of the requests match an entry of the scope, many of those with one part changed. */
export function requestBy(chance: Chance, scope: Scope | undefined): Request {
  if (scope === undefined || chance.often(0.3)) return anyRequest(chance)
  const aimed = aimedRequest(chance, scope)
  return chance.often(0.5) ? nearMiss(chance, aimed) : aimed
}

/** The same request with one part changed. */
function nearMiss(chance: Chance, request: Request): Request {
  if (chance.often(0.2)) return { ...request, verb: chance.pick(verbs) }
  if (chance.often(0.25)) return { ...request, target: otherTarget(chance, request.target) }
  if ('path' in request) return { ...request, path: chance.pick(paths) }
  switch (chance.below(5)) {
    case 0:
      return { ...request, namespace: chance.pick(namespaces) }
    case 1:
      return { ...request, name: chance.pick(['', 'x', 'v', 'w', 's', 't', 'a', 'b', 'c', 'd', '..']) }
    case 2:
      return { ...request, subresource: chance.pick(subresources) }
    case 3:
      return { ...request, resource: chance.pick([...managementResources, ...otherResources]) }
    default:
      return { ...request, group: chance.pick([...groups, 'management.other.com']) }
  }
}

function otherTarget(chance: Chance, target: Target): Target {
  if (chance.often(0.4)) return targetBy(chance)
  switch (target.kind) {
    case 'management':
      return target
    case 'cluster':
      return { ...target, cluster: chance.pick(clusters) }
    case 'space':
      return chance.often(0.5)
        ? { ...target, project: chance.pick(projects) }
        : { ...target, space: chance.pick(spaces) }
    case 'virtual-cluster':
      return chance.often(0.5)
        ? { ...target, project: chance.pick(projects) }
        : { ...target, virtualCluster: chance.pick(virtualClusters) }
  }
}
