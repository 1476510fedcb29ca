import type { Decision, ResourceAttributes, UserInfo } from '../../api/access.ts'
import { badRequest, forbidden, notFound } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { objectAt } from '../member.ts'
import { textList } from '../text-list.ts'
import { superuserGroup } from './authorizer.ts'
import { compactRules, missingRules } from './coverage.ts'
import type { RbacIndex } from './rbac-index.ts'
import { type RbacRule, rulesOf } from './rule.ts'
import { ruleText } from './rule-text.ts'
import { type RoleReference, roleReferenceOf } from './subject.ts'

/** The facts about a write that the check needs: its user, and whether that user has another right. */
export interface EscalationRequest {
  readonly user: UserInfo
  readonly authorize: (attributes: ResourceAttributes) => Decision | Promise<Decision>
}

type Rules = Pick<RbacIndex, 'rulesHeld' | 'rulesOfRole'>

const group = 'rbac.authorization.k8s.io'
const plurals: ReadonlyMap<string, string> = new Map([
  ['Role', 'roles'],
  ['RoleBinding', 'rolebindings'],
  ['ClusterRole', 'clusterroles'],
  ['ClusterRoleBinding', 'clusterrolebindings'],
])
const everything: readonly RbacRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/**
 * Users cannot grant rights that they lack: throws a 403 if a role or binding of the four RBAC kinds would do so,
 * unless the user may `escalate` the role or `bind` the bound role. Objects of other kinds pass. `object` has its
 * defaults and its namespace.
 */
export async function checkEscalation(
  rules: Rules,
  request: EscalationRequest,
  object: KubeObject,
  old?: KubeObject,
): Promise<void> {
  if (request.user.groups.includes(superuserGroup) && !isLimited(request.user)) return
  if (old !== undefined && onlyDeletionProceeds(object, old)) return
  switch (object.kind) {
    case 'Role':
    case 'ClusterRole':
      return checkRole(rules, request, object, old)
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return checkBinding(rules, request, object)
  }
}

async function checkRole(rules: Rules, request: EscalationRequest, role: KubeObject, old?: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = role.metadata
  const resource = pluralOf(role)
  const escalate = { verb: 'escalate', resource, namespace, name: old === undefined ? '' : name }
  if (await isAllowed(request, escalate)) return
  await refuseMissing(rules, request.user, role, rulesOf(role))
  if (!aggregates(role) && (old === undefined || !aggregates(old))) return
  if (missingRules(await rulesHeldBy(rules, request.user, namespace), everything).length === 0) return
  throw forbidden({ plural: resource, group }, name, 'must have cluster-admin privileges to use the aggregationRule')
}

async function checkBinding(rules: Rules, request: EscalationRequest, binding: KubeObject): Promise<void> {
  const { namespace = '' } = binding.metadata
  const reference = roleReferenceOf(binding)
  if (reference === undefined) return
  if (reference.name === '') throw badRequest('Name parameter required.')
  if (reference.kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.')
  const resource = resourceOf(reference)
  if (await isAllowed(request, { verb: 'bind', resource, namespace, name: reference.name })) return
  const wanted = rules.rulesOfRole(reference, namespace)
  if (wanted === undefined) throw notFound({ plural: pluralOf(binding), group }, reference.name)
  await refuseMissing(rules, request.user, binding, wanted)
}

async function refuseMissing(
  rules: Rules,
  user: UserInfo,
  object: KubeObject,
  wanted: readonly RbacRule[],
): Promise<void> {
  const { namespace = '', name = '' } = object.metadata
  const missing = missingRules(await rulesHeldBy(rules, user, namespace), wanted)
  if (missing.length > 0) throw forbidden({ plural: pluralOf(object), group }, name, escalationText(user, missing))
}

/**
 * A key with a scope holds no rights that it could grant: its owner's rights would reach users without that scope. With
 * `escalate` or `bind` in its scope, it may still grant them.
 */
async function rulesHeldBy(rules: Rules, user: UserInfo, namespace: string): Promise<readonly RbacRule[]> {
  return isLimited(user) ? [] : rules.rulesHeld(user, namespace)
}

function isLimited({ credential }: UserInfo): boolean {
  return credential?.scope !== undefined
}

/** Limit of lines in the message; more would not be read. */
const mostLines = 1_000

function escalationText(user: UserInfo, missing: readonly RbacRule[]): string {
  const lines = [...new Set(compactRules(missing).map(ruleText))].sort()
  const who = `user ${quoted(user.name)} (groups=${textList(user.groups)})`
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : []
  const told = [...lines.slice(0, mostLines), ...more].join('\n')
  return `${who} is attempting to grant RBAC permissions not currently held:\n${told}`
}

async function isAllowed(
  request: EscalationRequest,
  asked: Pick<ResourceAttributes, 'verb' | 'resource' | 'namespace' | 'name'>,
): Promise<boolean> {
  const attributes = { user: request.user, group, version: '*', subresource: '', ...asked }
  return (await request.authorize(attributes)).verdict === 'allow'
}

/** Removing finalizers and owners, as garbage collection does, grants nothing. */
function onlyDeletionProceeds(object: KubeObject, old: KubeObject): boolean {
  return deepEqual(withoutDeletionFields(object), withoutDeletionFields(old))
}

function withoutDeletionFields(object: KubeObject): unknown {
  const { finalizers, ownerReferences, managedFields, resourceVersion, ...metadata } = object.metadata
  return { ...object, metadata }
}

function aggregates(role: KubeObject): boolean {
  return objectAt(role, 'aggregationRule') !== undefined
}

function pluralOf(object: KubeObject): string {
  return plurals.get(object.kind) ?? object.kind
}

function resourceOf(reference: RoleReference): string {
  return reference.kind === 'Role' ? 'roles' : 'clusterroles'
}
