import type { KeyUse } from '../../keys/contract.ts'
import { anything } from '../../keys/usage/fold-uses.ts'
import { compileScope } from '../compile.ts'
import type { ScopeEnvironment } from '../grant.ts'
import { projectNamespace } from '../request.ts'
import { type PlainRule, scopeRule } from './plain-rule.ts'
import { recordedRequest, targetOfText } from './use-request.ts'

/**
 * An empty list would allow everything, so a rule about objects names a path that every key may request, and vice
 * versa.
 */
const openPath = '/version'
const openResource = 'selves'

/** The narrowest rule for a recorded use. */
export function ruleForUse(use: KeyUse, environment: ScopeEnvironment): PlainRule {
  const common = { place: placeOf(use.target), verbs: [use.verb] }
  if (use.resource === '') {
    const nothing = { group: environment.managementGroup, resources: [openResource], names: [], namespaces: [] }
    return { ...common, ...nothing, paths: [use.path] }
  }
  const rule = {
    ...common,
    group: use.group === anything ? undefined : use.group,
    resources: [use.resource],
    names: limited(use.name),
    namespaces: [],
    paths: [openPath],
  }
  if (use.namespace === anything) return rule
  const within = { ...rule, namespaces: [use.namespace] }
  return use.namespace !== '' || grants(within, use, environment) ? within : rule
}

/**
 * Requests for all namespaces name none, just as requests for objects outside namespaces: they need a rule without a
 * limit.
 */
function grants(rule: PlainRule, use: KeyUse, environment: ScopeEnvironment): boolean {
  const scope = compileScope({ rules: [scopeRule({ ...rule, names: [] })] }, environment)
  return scope?.grant(recordedRequest(use)).granted === true
}

/** Without a name: a collection, or a new object. */
function limited(name: string): readonly string[] {
  return name === '' || name === anything ? [] : [name]
}

function placeOf(text: string): PlainRule['place'] {
  const target = targetOfText(text)
  switch (target?.kind) {
    case undefined:
      return {}
    case 'management':
      return { requestTargets: ['Management'] }
    case 'cluster':
      return { requestTargets: ['Cluster'], ...(target.cluster === anything ? {} : { cluster: target.cluster }) }
    case 'space':
      return { requestTargets: ['ProjectSpace'] }
    case 'virtual-cluster':
      return { requestTargets: ['ProjectVirtualCluster'], ...virtualClusters(target.project, target.virtualCluster) }
  }
}

function virtualClusters(project: string, name: string): Pick<PlainRule['place'], 'virtualClusters'> {
  const limits = {
    ...(name === anything ? {} : { name }),
    ...(project === anything ? {} : { namespace: projectNamespace(project) }),
  }
  return Object.keys(limits).length === 0 ? {} : { virtualClusters: [limits] }
}
