import type { Attributes, Decision, ResourceAttributes } from '../../api/access.ts'
import { nodeOfUser } from '../../api/core/node-user.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import { requiresField } from '../../api/selectors/field-selector.ts'
import type { Authorizer, RuleSet } from '../contract.ts'
import { allows, type CompiledRules, compileRules } from '../rbac/compiled-rules.ts'
import { componentRoles } from '../rbac/component-roles.ts'
import { rulesOf } from '../rbac/rule.ts'
import { graphKey, type NodeGraph } from './node-graph.ts'

const nodeLeases = 'kube-node-lease'

const allowed: Decision = { verdict: 'allow', reason: '' }
const noRules: RuleSet = { resourceRules: [], pathRules: [], incomplete: false }

/** What kubelets may do: what concerns their own node, and what every one of them has to know. Knows no other users. */
export function createNodeAuthorizer(graph: GraphSource): Authorizer {
  const rules = compileRules(componentRoles.filter(({ name }) => name === 'system:node').flatMap(rulesOf))
  return {
    authorize: (attributes) => {
      const node = nodeOfUser(attributes.user)
      if (node === undefined) return refused('')
      if (node === '') return refused(`unknown node for user ${quoted(attributes.user.name)}`)
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

function refused(reason: string): Decision {
  return { verdict: 'no-opinion', reason }
}

type GraphSource = () => NodeGraph | Promise<NodeGraph>

function decide(
  node: string,
  attributes: Attributes,
  rules: CompiledRules,
  graph: GraphSource,
): Decision | Promise<Decision> {
  const decision = 'path' in attributes ? undefined : decideResource(node, attributes)
  if (decision === undefined || 'path' in attributes) return allows(rules, attributes) ? allowed : refused('')
  if (decision !== 'related') return decision
  const known = graph()
  return known instanceof Promise
    ? known.then((late) => decideRelated(node, attributes, late))
    : decideRelated(node, attributes, known)
}

function decideRelated(node: string, { resource, namespace, name }: ResourceAttributes, graph: NodeGraph): Decision {
  if (graph.concerns(graphKey(resource, namespace, name), node)) return allowed
  return refused(`no relationship found between node '${node}' and this object`)
}

/** `related`: if the object concerns the node. Undefined: the same for all nodes. */
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
  return name === '' ? refused('No Object name found') : 'related'
}

function readNamespaced(asked: ResourceAttributes): ResourceDecision {
  if (!isRead(asked.verb)) return refused('can only read resources of this type')
  if (asked.subresource !== '') return refused('cannot read subresource')
  if (asked.namespace === '') return refused('can only read namespaced object of this type')
  return related(asked)
}

function readOne(asked: ResourceAttributes): ResourceDecision {
  if (asked.verb !== 'get') return refused('can only get individual resources of this type')
  return asked.subresource === '' ? related(asked) : refused('cannot get subresource')
}

function changeStatus(asked: ResourceAttributes): ResourceDecision {
  return isChange(asked.verb) ? related(asked) : refused('can only get/update/patch this type')
}

function createToken({ verb, name, subresource }: ResourceAttributes): ResourceDecision {
  if (verb !== 'create' || name === '') return refused('can only create tokens for individual service accounts')
  return subresource === 'token' ? 'related' : refused('can only create token subresource of serviceaccount')
}

const ownVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete'])

/** A new object has no name yet that is known here: admission looks at it. */
function ownLease(node: string, { verb, namespace, name }: ResourceAttributes): ResourceDecision {
  if (!ownVerbs.has(verb)) return refused('can only get, create, update, patch, or delete a node lease')
  if (namespace !== nodeLeases) return refused(`can only access leases in the ${quoted(nodeLeases)} system namespace`)
  if (verb === 'create' || name === node) return allowed
  return refused('can only access node lease with the same name as the requesting node')
}

function ownCsiNode(node: string, { verb, subresource, name }: ResourceAttributes): ResourceDecision {
  if (!ownVerbs.has(verb)) return refused('can only get, create, update, patch, or delete a CSINode')
  if (subresource !== '') return refused('cannot authorize CSINode subresources')
  if (verb === 'create' || name === node) return allowed
  return refused('can only access CSINode with the same name as the requesting node')
}

function ownNode(node: string, { verb, subresource, name }: ResourceAttributes): ResourceDecision {
  if (subresource === 'status') return isChange(verb) ? allowed : refused('')
  if (subresource !== '') return refused('')
  if (verb === 'create' || isChange(verb)) return allowed
  if (!isRead(verb)) return refused('')
  if (name === node) return allowed
  const others = name === '' ? 'all nodes' : `'${name}'`
  return refused(`node '${node}' cannot read ${others}, only its own Node object`)
}

function ownPods(node: string, asked: ResourceAttributes): ResourceDecision {
  const { verb, subresource } = asked
  if (subresource === 'status') return isChange(verb) ? allowed : refused('')
  if (subresource === 'eviction') return verb === 'create' ? allowed : refused('')
  if (subresource !== '') return refused('')
  if (verb === 'create' || verb === 'delete') return allowed
  if (verb === 'get') return readOne(asked)
  if (!isRead(verb)) return refused('')
  if (requiresField(asked.fieldSelector ?? '', 'spec.nodeName', node)) return allowed
  return asked.name === '' ? refused('can only list/watch pods with spec.nodeName field selector') : 'related'
}

function isRead(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch'
}

function isChange(verb: string): boolean {
  return verb === 'update' || verb === 'patch'
}
