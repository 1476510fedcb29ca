import { describe, expect, it } from 'vitest'
import type { Decision, ResourceAttributes } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import { compactRules, missingRules } from './coverage.ts'
import { checkEscalation } from './escalation.ts'
import { createRbacIndex } from './rbac-index.ts'
import { rulesOf } from './rule.ts'
import { ruleText } from './rule-text.ts'

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

const getPods: Rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const all: Rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }

function missing(held: readonly Rule[], wanted: readonly Rule[]): readonly string[] {
  const uncovered = missingRules(rulesOf({ rules: held }), rulesOf({ rules: wanted }))
  return compactRules(uncovered).map(ruleText)
}

describe('the rights missing to grant rules', () => {
  it.each<readonly [string, readonly Rule[], readonly Rule[], readonly string[]]>([
    ['nothing, when everything is held', [all], [getPods], []],
    ['nothing, when nothing is granted', [], [], []],
    ['what is granted, when nothing is held', [], [getPods], ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}']],
    [
      'one verb of two',
      [getPods],
      [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}'],
    ],
    [
      'the wildcard, though every verb that exists is held',
      [{ ...getPods, verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] }],
      [{ ...getPods, verbs: ['*'] }],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    ],
    [
      'several verbs on one object',
      [],
      [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['x'] }],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["get" "list"]}'],
    ],
    ['nothing, for a name when all names are held', [getPods], [{ ...getPods, resourceNames: ['x'] }], []],
    [
      'all names, when one is held',
      [{ ...getPods, resourceNames: ['x'] }],
      [getPods],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'another name',
      [{ ...getPods, resourceNames: ['x'] }],
      [{ ...getPods, resourceNames: ['x', 'y'] }],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["y"], Verbs:["get"]}'],
    ],
    [
      'nothing, for a subresource of any resource',
      [{ ...getPods, resources: ['*/log'] }],
      [{ ...getPods, resources: ['pods/log'] }],
      [],
    ],
    [
      'a subresource, when the resource is held',
      [getPods],
      [{ ...getPods, resources: ['pods/log'] }],
      ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
    ],
    [
      'nothing, for a path below a held one',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/a/b', '/a/*'] }],
      [],
    ],
    [
      'a path',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }, all],
      [{ verbs: ['get'], nonResourceURLs: ['/b'] }],
      ['{NonResourceURLs:["/b"], Verbs:["get"]}'],
    ],
  ])('%s', (_name, held, wanted, expected) => {
    expect(missing(held, wanted)).toEqual(expected)
  })

  it('are found quickly, however large the role is', () => {
    const many = (prefix: string) => Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}`)
    const huge = { verbs: many('v'), apiGroups: many('g'), resources: many('r'), resourceNames: many('n') }
    expect(missing([getPods], [huge])).toHaveLength(1)
    expect(missing([all], [huge])).toEqual([])
  })

  const texts = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

  it('are not enumerated above a limit over all rules', () => {
    const large = { verbs: texts('v', 27), apiGroups: texts('g', 27), resources: texts('r', 27) }
    const wanted = rulesOf({ rules: Array.from({ length: 290 }, () => large) })
    expect(missingRules(rulesOf({ rules: [getPods] }), wanted).length).toBeLessThan(21_000)
    expect(missingRules(rulesOf({ rules: [all] }), wanted)).toEqual([])
  })

  it('are all rights, if there is too much to compare', () => {
    const held = rulesOf({ rules: texts('v', 10_000).map((verb) => ({ ...getPods, verbs: [verb] })) })
    expect(missingRules(held, held.slice(0, 5_000)).length).toBeGreaterThan(0)
    expect(missingRules(held, held.slice(0, 400))).toEqual([])
    expect(missingRules([...held, ...held, ...held], held.slice(0, 400))).toEqual([])
  })
})

const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] }

function object(kind: string, name: string, namespace: string | undefined, rest: object): KubeObject {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...rest }
}

function binding(roleKind: string, roleName: string, namespace?: string): KubeObject {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName }
  return object(namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', 'b', namespace, { roleRef })
}

/** Alice holds `get pods` in the cluster and `get secrets` in namespace a. */
function index() {
  const result = createRbacIndex()
  const subjects = [{ kind: 'User', name: 'alice' }]
  const getSecrets = { ...getPods, resources: ['secrets'] }
  result.upsert('ClusterRole', object('ClusterRole', 'pods', undefined, { rules: [getPods] }))
  result.upsert('ClusterRole', object('ClusterRole', 'root', undefined, { rules: [all] }))
  result.upsert('Role', object('Role', 'secrets', 'a', { rules: [getSecrets] }))
  result.upsert('ClusterRoleBinding', { ...binding('ClusterRole', 'pods'), subjects })
  result.upsert('RoleBinding', { ...binding('Role', 'secrets', 'a'), subjects })
  return result
}

async function check(target: KubeObject, old?: KubeObject, may: (asked: ResourceAttributes) => boolean = () => false) {
  const authorize = (asked: ResourceAttributes): Decision =>
    may(asked) ? { verdict: 'allow', reason: '' } : { verdict: 'no-opinion', reason: '' }
  return checkEscalation(index(), { user: alice, authorize }, target, old).then(
    () => 'granted',
    (error: Error) => error.message,
  )
}

const refusal = (resource: string, name: string, rules: string) =>
  `${resource}.rbac.authorization.k8s.io "${name}" is forbidden: user "alice" (groups=["dev" "system:authenticated"]) ` +
  `is attempting to grant RBAC permissions not currently held:\n${rules}`

const anything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
const role = (rules: readonly Rule[], namespace?: string) =>
  object(namespace === undefined ? 'ClusterRole' : 'Role', 'r', namespace, { rules })

it('a refusal lists a limited number of rules, and counts the rest', async () => {
  const rules = Array.from({ length: 1_500 }, (_, index) => ({ ...getPods, resources: [`r${index}`] }))
  const told = await check(role(rules))
  expect(told).toContain('\nand 500 more')
  expect(told.split('\n')).toHaveLength(1_002)
})

describe('users cannot grant what they do not hold', () => {
  it('in a role', async () => {
    expect(await check(role([getPods]))).toBe('granted')
    expect(await check(role([{ ...getPods, resources: ['secrets'] }], 'a'))).toBe('granted')
    expect(await check(role([{ ...getPods, resources: ['secrets'] }], 'b'))).toBe(
      refusal('roles', 'r', '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'),
    )
    expect(await check(role([anything, { ...getPods, verbs: ['list', 'get'] }]))).toBe(
      refusal(
        'clusterroles',
        'r',
        '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
      ),
    )
  })

  it('in a binding', async () => {
    expect(await check(binding('ClusterRole', 'pods'))).toBe('granted')
    expect(await check(binding('Role', 'secrets', 'a'))).toBe('granted')
    expect(await check(binding('ClusterRole', 'root', 'a'))).toBe(
      refusal('rolebindings', 'b', '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}'),
    )
    expect(await check(binding('ClusterRole', 'root'))).toBe(
      refusal('clusterrolebindings', 'b', '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}'),
    )
    expect(await check(binding('Role', 'nosuch', 'a'))).toBe(
      'rolebindings.rbac.authorization.k8s.io "nosuch" not found',
    )
    expect(await check(binding('ClusterRole', '', 'a'))).toBe('Name parameter required.')
    expect(await check(binding('Role', 'secrets'))).toBe('Namespace parameter required.')
  })

  it('by gathering the rules of other roles', async () => {
    const gathering = { ...role([]), aggregationRule: { clusterRoleSelectors: [{}] } }
    const text =
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule'
    expect(await check(gathering)).toBe(text)
    expect(await check(role([getPods]), gathering)).toBe(text)
  })

  it('by an update that keeps the rules', async () => {
    const root = role([anything])
    expect(await check({ ...root, metadata: { ...root.metadata, labels: { a: 'b' } } }, root)).toMatch(
      /not currently held/,
    )
  })
})

describe('granting more than is held is allowed', () => {
  it('with the verb escalate on the role', async () => {
    const asked: ResourceAttributes[] = []
    const may = (attributes: ResourceAttributes) => asked.push(attributes) > 0
    expect(await check(role([anything], 'a'), undefined, may)).toBe('granted')
    expect(await check(role([anything]), role([]), may)).toBe('granted')
    const group = 'rbac.authorization.k8s.io'
    expect(asked).toMatchObject([
      { user: alice, verb: 'escalate', group, resource: 'roles', namespace: 'a', name: '' },
      { user: alice, verb: 'escalate', group, resource: 'clusterroles', namespace: '', name: 'r' },
    ])
  })

  it('with the verb bind on the role that is bound', async () => {
    const may = ({ verb, resource, name, namespace }: ResourceAttributes) =>
      verb === 'bind' && resource === 'clusterroles' && name === 'root' && namespace === 'a'
    expect(await check(binding('ClusterRole', 'root', 'a'), undefined, may)).toBe('granted')
    expect(await check(binding('ClusterRole', 'root'), undefined, may)).toMatch(/not currently held/)
  })

  it('to system:masters', async () => {
    const user = { name: 'root', groups: ['system:masters'] }
    const authorize = (): Decision => ({ verdict: 'no-opinion', reason: '' })
    await expect(checkEscalation(index(), { user, authorize }, role([anything]))).resolves.toBeUndefined()
  })

  it('with a key that has a scope only by those verbs, regardless of its owner', async () => {
    const scope = { source: {}, grant: () => ({ granted: true, entry: '' }) as const }
    const credential = {
      keyName: 'k',
      keyUid: 'u',
      keyId: 'i',
      scope,
      isRevoked: false,
      revoked: new AbortController().signal,
    }
    const refuse = (): Decision => ({ verdict: 'deny', reason: '' })
    const allow = (): Decision => ({ verdict: 'allow', reason: '' })
    for (const owner of [alice, { name: 'root', groups: ['system:masters'] }]) {
      const user = { ...owner, credential }
      for (const target of [role([getPods]), binding('ClusterRole', 'pods')]) {
        await expect(checkEscalation(index(), { user, authorize: refuse }, target)).rejects.toThrow(
          /not currently held/,
        )
        await expect(checkEscalation(index(), { user, authorize: allow }, target)).resolves.toBeUndefined()
      }
    }
  })

  it('when only finalizers and owners change', async () => {
    const root = role([anything])
    const old = { ...root, metadata: { ...root.metadata, finalizers: ['x/y'], resourceVersion: '1' } }
    expect(await check(root, old)).toBe('granted')
  })

  it('in objects of other kinds', async () => {
    expect(await check(object('ConfigMap', 'c', 'a', { rules: [anything] }))).toBe('granted')
  })
})
