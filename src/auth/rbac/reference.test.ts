import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../api/access.ts'
import { createRbacIndex, type RbacKind } from './rbac-index.ts'

/** RBAC as documented, checking everything for every request. */

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}
interface Role {
  readonly kind: 'Role' | 'ClusterRole'
  readonly namespace: string
  readonly name: string
  readonly rules: readonly Rule[]
}
interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding'
  readonly namespace: string
  readonly name: string
  readonly roleRef: { readonly kind: string; readonly name: string }
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[]
}

function referenceAllows(roles: readonly Role[], bindings: readonly Binding[], asked: Attributes): boolean {
  const namespace = 'path' in asked ? '' : asked.namespace
  return bindings.some((binding) => {
    if (binding.kind === 'RoleBinding' && (namespace === '' || binding.namespace !== namespace)) return false
    const isSubject = binding.subjects.some((subject) => {
      if (subject.kind === 'User') return subject.name === asked.user.name
      if (subject.kind === 'Group') return asked.user.groups.includes(subject.name)
      const home = subject.namespace || binding.namespace
      return home !== '' && asked.user.name === `system:serviceaccount:${home}:${subject.name}`
    })
    const role = roles.find(
      (each) =>
        each.kind === binding.roleRef.kind &&
        each.name === binding.roleRef.name &&
        each.namespace === (each.kind === 'Role' ? binding.namespace : ''),
    )
    return isSubject && (role?.rules ?? []).some((rule) => ruleAllows(rule, asked))
  })
}

function ruleAllows(rule: Rule, asked: Attributes): boolean {
  const has = (list: readonly string[], text: string) => list.includes('*') || list.includes(text)
  if (!has(rule.verbs, asked.verb)) return false
  if ('path' in asked) {
    return rule.nonResourceURLs.some(
      (each) => each === asked.path || (each.endsWith('*') && asked.path.startsWith(each.slice(0, -1))),
    )
  }
  const whole = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`
  const resource =
    has(rule.resources, whole) || (asked.subresource !== '' && rule.resources.includes(`*/${asked.subresource}`))
  const named = rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name)
  return has(rule.apiGroups, asked.group) && resource && named
}

const some = (...texts: readonly string[]) => fc.constantFrom(...texts)
const list = (...texts: readonly string[]) => fc.subarray([...texts])
const namespaces = some('a', 'b', '__proto__')
const roleNames = some('r1', 'r2', 'constructor')

const rules = fc.array(
  fc.record({
    verbs: list('get', 'list', 'create', '*'),
    apiGroups: list('', 'apps', '*'),
    resources: list('pods', 'pods/log', '*/log', '*', 'services'),
    resourceNames: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: list('x', 'y') }),
    nonResourceURLs: list('/metrics', '/apis/*', '*', '/healthz*'),
  }),
  { maxLength: 3 },
)
const role: fc.Arbitrary<Role> = fc.oneof(
  fc.record({ kind: fc.constant('Role' as const), namespace: namespaces, name: roleNames, rules }),
  fc.record({ kind: fc.constant('ClusterRole' as const), namespace: fc.constant(''), name: roleNames, rules }),
)
const subject = fc.record({
  kind: some('User', 'Group', 'ServiceAccount'),
  name: some('alice', 'dev', 'sa', 'toString'),
  namespace: some('', 'a'),
})
const binding: fc.Arbitrary<Binding> = fc
  .record({
    kind: fc.constantFrom('RoleBinding' as const, 'ClusterRoleBinding' as const),
    namespace: namespaces,
    name: some('b1', 'b2', 'b3'),
    roleRef: fc.record({ kind: some('Role', 'ClusterRole'), name: roleNames }),
    subjects: fc.array(subject, { maxLength: 3 }),
  })
  .map((each) => (each.kind === 'RoleBinding' ? each : { ...each, namespace: '' }))
const user = fc.record({
  name: some('alice', 'bob', 'system:serviceaccount:a:sa', 'system:serviceaccount:b:sa', 'toString'),
  groups: list('dev', 'alice', 'toString'),
})
const request: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    user,
    verb: some('get', 'list', 'create', 'delete'),
    group: some('', 'apps'),
    version: fc.constant('v1'),
    resource: some('pods', 'services', 'secrets'),
    subresource: some('', 'log', 'status'),
    namespace: some('', 'a', 'b', '__proto__'),
    name: some('', 'x', 'z'),
  }),
  fc.record({ user, verb: some('get', 'list'), path: some('/metrics', '/apis', '/apis/apps', '/healthz/x', '/') }),
)

type Change = { readonly put: Role | Binding } | { readonly drop: Role | Binding }
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: fc.oneof(role, binding) }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.oneof(role, binding) }) },
)

function keyOf({ kind, namespace, name }: Role | Binding): string {
  return `${kind}/${namespace}/${name}`
}

describe('the index', () => {
  it('decides like a naive implementation of RBAC, after any changes', () => {
    const histories = fc.array(change, { maxLength: 25 })
    const requests = fc.array(request, { minLength: 1, maxLength: 15 })
    fc.assert(
      fc.property(histories, requests, (changes, asked) => {
        const index = createRbacIndex()
        const current = new Map<string, Role | Binding>()
        for (const each of changes) {
          if ('put' in each) {
            const { kind, namespace, name, ...rest } = each.put
            const kube: RbacKind = kind
            index.upsert(kube, {
              apiVersion: 'rbac.authorization.k8s.io/v1',
              kind,
              metadata: { namespace, name },
              ...rest,
            })
            current.set(keyOf(each.put), each.put)
          } else {
            index.remove(each.drop.kind, each.drop.namespace, each.drop.name)
            current.delete(keyOf(each.drop))
          }
        }
        const roles = [...current.values()].filter((each) => 'rules' in each)
        const bindings = [...current.values()].filter((each) => 'roleRef' in each)
        for (const attributes of asked) {
          const decision = index.authorizer.authorize(attributes)
          expect(decision).toMatchObject({
            verdict: referenceAllows(roles, bindings, attributes) ? 'allow' : 'no-opinion',
          })
        }
      }),
      { numRuns: 1_500, seed: 20_261_115 },
    )
  })
})
