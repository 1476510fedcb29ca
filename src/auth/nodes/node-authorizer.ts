import type { Attributes, Decision, ResourceAttributes } from '../../api/access.ts'
import { nodeLeaseNamespace, nodeOfUser } from '../../api/core/nodes/kubelet.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import { requiresField } from '../../api/selectors/field-selector.ts'
import type { Authorizer, RuleSet } from '../contract.ts'
import { allows, type CompiledRules, compileRules } from '../rbac/compiled-rules.ts'
import { componentRoles } from '../rbac/component-roles.ts'
import { rulesOf } from '../rbac/rule.ts'
import { graphKey, type NodeGraph } from './node-graph.ts'

const allowed: Decision = { verdict: 'allow', reason: '' }
const noRules: RuleSet = { resourceRules: [], pathRules: [], incomplete: false }

/**
 * The rights of kubelets: everything about their own node, and what every kubelet must know. It has no opinion about
 * other users. The reasons are those of Kubernetes.
 */
export function createNodeAuthorizer(graph: GraphSource): Authorizer {
  const rules = compileRules(componentRoles.filter(({ name }) => name === 'system:node').flatMap(rulesOf))
  return {
    authorize: (attributes) => {
      const node = nodeOfUser(attributes.user)
      if (node === undefined) return noOpinion('')
      if (node === '') return noOpinion(`unknown node for user ${quoted(attributes.user.name)}`)
      return decide(node, attributes, rules, graph)
    },
    rulesFor: (user) => (nodeOfUser(user) === undefined ? noRules : notListed),
  }
}

const notListed: RuleSet = {
  ...noRules,
  incomplete: true,
  evaluationError: 'node authorizer does not support user rule resolution',
}

function noOpinion(reason: string): Decision {
  return { verdict: 'no-opinion', reason }
}

type GraphSource = () => NodeGraph | Promise<NodeGraph>

function decide(
  node: string,
  attributes: Attributes,
  rules: CompiledRules,
  graph: GraphSource,
): Decision | Promise<Decision> {
  const asForAll = () => (allows(rules, attributes) ? allowed : noOpinion(''))
  if ('path' in attributes) return asForAll()
  const decision = decideResource(node, attributes)
  if (decision === undefined) return asForAll()
  if (decision !== 'related') return decision
  const known = graph()
  return known instanceof Promise
    ? known.then((late) => decideRelated(node, attributes, late))
    : decideRelated(node, attributes, known)
}

function decideRelated(node: string, { resource, namespace, name }: ResourceAttributes, graph: NodeGraph): Decision {
  if (graph.concerns(graphKey(resource, namespace, name), node)) return allowed
  return noOpinion(`no relationship found between node '${node}' and this object`)
}

/** `related`: allowed if the object concerns the node. Undefined: decided by the rules for all nodes. */
type ResourceDecision = Decision | 'related' | undefined

function decideResource(node: string, asked: ResourceAttributes): ResourceDecision {
  switch (`${asked.resource}.${asked.group}`) {
    case 'secrets.':
    case 'configmaps.':
      return readNamespaced(asked)
    case 'persistentvolumeclaims.':
      return asked.subresource === 'status' ? changeStatus(asked) : readOne(asked)
    case 'persistentvolumes.':
    case 'volumeattachments.storage.k8s.io':
      return readOne(asked)
    case 'serviceaccounts.':
      return createToken(asked)
    case 'leases.coordination.k8s.io':
      return ownLease(node, asked)
    case 'csinodes.storage.k8s.io':
      return ownCsiNode(node, asked)
    case 'nodes.':
      return ownNode(node, asked)
    case 'pods.':
      return ownPods(node, asked)
    default:
      return undefined
  }
}

function related({ name }: ResourceAttributes): ResourceDecision {
  return name === '' ? noOpinion('No Object name found') : 'related'
}

function readNamespaced(asked: ResourceAttributes): ResourceDecision {
  if (!isRead(asked.verb)) return noOpinion('can only read resources of this type')
  if (asked.subresource !== '') return noOpinion('cannot read subresource')
  if (asked.namespace === '') return noOpinion('can only read namespaced object of this type')
  return related(asked)
}

function readOne(asked: ResourceAttributes): ResourceDecision {
  if (asked.verb !== 'get') return noOpinion('can only get individual resources of this type')
  return asked.subresource === '' ? related(asked) : noOpinion('cannot get subresource')
}

function changeStatus(asked: ResourceAttributes): ResourceDecision {
  return isChange(asked.verb) ? related(asked) : noOpinion('can only get/update/patch this type')
}

function createToken({ verb, name, subresource }: ResourceAttributes): ResourceDecision {
  if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts')
  return subresource === 'token' ? 'related' : noOpinion('can only create token subresource of serviceaccount')
}

const ownVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete'])

/** The name of a new object is in its body, which is not read yet: NodeRestriction checks it. */
function ownLease(node: string, { verb, namespace, name }: ResourceAttributes): ResourceDecision {
  if (!ownVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a node lease')
  if (namespace !== nodeLeaseNamespace)
    return noOpinion(`can only access leases in the ${quoted(nodeLeaseNamespace)} system namespace`)
  if (verb === 'create' || name === node) return allowed
  return noOpinion('can only access node lease with the same name as the requesting node')
}

function ownCsiNode(node: string, { verb, subresource, name }: ResourceAttributes): ResourceDecision {
  if (!ownVerbs.has(verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode')
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources')
  if (verb === 'create' || name === node) return allowed
  return noOpinion('can only access CSINode with the same name as the requesting node')
}

function ownNode(node: string, { verb, subresource, name }: ResourceAttributes): ResourceDecision {
  if (subresource === 'status') return isChange(verb) ? allowed : noOpinion('')
  if (subresource !== '') return noOpinion('')
  if (verb === 'create' || isChange(verb)) return allowed
  if (!isRead(verb)) return noOpinion('')
  if (name === node) return allowed
  const others = name === '' ? 'all nodes' : `'${name}'`
  return noOpinion(`node '${node}' cannot read ${others}, only its own Node object`)
}

function ownPods(node: string, asked: ResourceAttributes): ResourceDecision {
  const { verb, subresource } = asked
  if (subresource === 'status') return isChange(verb) ? allowed : noOpinion('')
  if (subresource === 'eviction') return verb === 'create' ? allowed : noOpinion('')
  if (subresource !== '') return noOpinion('')
  if (verb === 'create' || verb === 'delete') return allowed
  if (verb === 'get') return readOne(asked)
  if (!isRead(verb)) return noOpinion('')
  if (requiresField(asked.fieldSelector ?? '', 'spec.nodeName', node)) return allowed
  return asked.name === '' ? noOpinion('can only list/watch pods with spec.nodeName field selector') : 'related'
}

function isRead(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch'
}

function isChange(verb: string): boolean {
  return verb === 'update' || verb === 'patch'
}
