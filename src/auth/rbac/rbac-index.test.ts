import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import { createRbacIndex, type RbacIndex, type RbacKind } from './rbac-index.ts'

type Subject = readonly [kind: string, name: string, namespace?: string]

function role(name: string, verbs: readonly string[], namespace?: string): KubeObject {
  const rules = [{ verbs, apiGroups: [''], resources: ['pods'] }]
  return object(namespace === undefined ? 'ClusterRole' : 'Role', name, namespace, { rules })
}

function binding(name: string, roleRef: readonly [string, string], subjects: readonly Subject[], namespace?: string) {
  return object(namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', name, namespace, {
    roleRef: { kind: roleRef[0], name: roleRef[1] },
    subjects: subjects.map(([kind, subject, inNamespace]) => ({
      kind,
      name: subject,
      ...(inNamespace === undefined ? {} : { namespace: inNamespace }),
    })),
  })
}

function object(kind: RbacKind, name: string, namespace: string | undefined, rest: object) {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...rest } as const
}

function indexOf(...objects: readonly (KubeObject & { readonly kind: string })[]): RbacIndex {
  const index = createRbacIndex()
  for (const each of objects) index.upsert(kindOf(each), each)
  return index
}

function kindOf({ kind }: KubeObject): RbacKind {
  if (kind === 'Role' || kind === 'RoleBinding' || kind === 'ClusterRole' || kind === 'ClusterRoleBinding') return kind
  throw new Error(`${kind} is no RBAC kind.`)
}

function ask(index: RbacIndex, name: string, groups: readonly string[], namespace = 'a', verb = 'get') {
  const rest = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace, name: 'p' }
  return index.authorizer.authorize({ user: { name, groups }, verb, ...rest })
}

const allowed = (reason: string) => ({ verdict: 'allow', reason })
const noOpinion = { verdict: 'no-opinion', reason: '' }

describe('a cluster role binding', () => {
  const index = indexOf(
    role('reader', ['get']),
    binding('users', ['ClusterRole', 'reader'], [['User', 'alice']]),
    binding('groups', ['ClusterRole', 'reader'], [['Group', 'dev']]),
    binding(
      'accounts',
      ['ClusterRole', 'reader'],
      [
        ['ServiceAccount', 'builder', 'ci'],
        ['ServiceAccount', 'lost'],
      ],
    ),
  )

  it('gives users, groups and service accounts its role everywhere, and is named in the reason', () => {
    const to = (name: string, who: string) =>
      allowed(`RBAC: allowed by ClusterRoleBinding "${name}" of ClusterRole "reader" to ${who}`)
    expect(ask(index, 'alice', [])).toEqual(to('users', 'User "alice"'))
    expect(ask(index, 'bob', ['x', 'dev'], '')).toEqual(to('groups', 'Group "dev"'))
    expect(ask(index, 'system:serviceaccount:ci:builder', [])).toEqual(to('accounts', 'ServiceAccount "builder/ci"'))
  })

  it('gives nothing to others', () => {
    for (const name of ['dev', 'builder', 'system:serviceaccount:a:lost', 'Alice', '__proto__', 'constructor', '']) {
      expect(ask(index, name, ['alice', '__proto__'])).toEqual(noOpinion)
    }
    expect(ask(index, 'alice', [], 'a', 'delete')).toEqual(noOpinion)
  })
})

describe('a role binding', () => {
  const index = indexOf(
    role('reader', ['get']),
    role('writer', ['create'], 'a'),
    binding(
      'r',
      ['ClusterRole', 'reader'],
      [
        ['User', 'alice'],
        ['ServiceAccount', 'builder'],
      ],
      'a',
    ),
    binding('w', ['Role', 'writer'], [['User', 'alice']], 'a'),
    binding('w', ['Role', 'writer'], [['User', 'bob']], 'b'),
  )

  it('gives a role in its own namespace only', () => {
    expect(ask(index, 'alice', [], 'a')).toEqual(
      allowed('RBAC: allowed by RoleBinding "r/a" of ClusterRole "reader" to User "alice"'),
    )
    expect(ask(index, 'alice', [], 'a', 'create')).toEqual(
      allowed('RBAC: allowed by RoleBinding "w/a" of Role "writer" to User "alice"'),
    )
    expect(ask(index, 'alice', [], 'b')).toEqual(noOpinion)
    expect(ask(index, 'alice', [], '')).toEqual(noOpinion)
  })

  it('finds service accounts without a namespace in its own', () => {
    expect(ask(index, 'system:serviceaccount:a:builder', [])).toEqual(
      allowed('RBAC: allowed by RoleBinding "r/a" of ClusterRole "reader" to ServiceAccount "builder/a"'),
    )
  })

  it('to a missing role gives nothing, and the refusal says so', () => {
    expect(ask(index, 'bob', [], 'b', 'create')).toEqual({
      verdict: 'no-opinion',
      reason: 'RBAC: role.rbac.authorization.k8s.io "writer" not found',
    })
  })

  it('never gives paths', () => {
    const open = indexOf(
      object('ClusterRole', 'paths', undefined, { rules: [{ verbs: ['get'], nonResourceURLs: ['*'] }] }),
      binding('p', ['ClusterRole', 'paths'], [['User', 'alice']], 'a'),
    )
    const attributes: Attributes = { user: { name: 'alice', groups: [] }, verb: 'get', path: '/metrics' }
    expect(open.authorizer.authorize(attributes)).toEqual(noOpinion)
  })
})

describe('the index', () => {
  it('follows every change', () => {
    const index = indexOf(role('reader', ['get']), binding('b', ['ClusterRole', 'reader'], [['User', 'alice']]))
    const verdict = (name: string, verb = 'get') => Reflect.get(ask(index, name, [], 'a', verb), 'verdict')
    expect(verdict('alice')).toBe('allow')

    index.upsert('ClusterRole', role('reader', ['list']))
    expect([verdict('alice'), verdict('alice', 'list')]).toEqual(['no-opinion', 'allow'])

    index.upsert('ClusterRoleBinding', binding('b', ['ClusterRole', 'reader'], [['User', 'bob']]))
    expect([verdict('alice', 'list'), verdict('bob', 'list')]).toEqual(['no-opinion', 'allow'])

    index.remove('ClusterRole', '', 'reader')
    expect(ask(index, 'bob', [], 'a', 'list')).toEqual({
      verdict: 'no-opinion',
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found',
    })

    index.upsert('ClusterRole', role('reader', ['list']))
    index.remove('ClusterRoleBinding', '', 'b')
    expect(ask(index, 'bob', [], 'a', 'list')).toEqual(noOpinion)
    index.remove('RoleBinding', 'nowhere', 'nothing')
    index.remove('Role', 'nowhere', 'nothing')
  })

  it('lets system:masters do everything, without a reason', () => {
    expect(ask(createRbacIndex(), 'root', ['system:masters'])).toEqual(allowed(''))
  })

  it('gathers aggregated roles as they change', () => {
    const aggregate = object('ClusterRole', 'all', undefined, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }] },
      rules: [{ verbs: ['delete'], apiGroups: [''], resources: ['pods'] }],
    })
    const index = indexOf(aggregate, binding('b', ['ClusterRole', 'all'], [['User', 'alice']]))
    const part = role('part', ['get'])
    expect(ask(index, 'alice', [], 'a', 'delete')).toEqual(noOpinion)
    index.upsert('ClusterRole', { ...part, metadata: { name: 'part', labels: { to: 'all' } } })
    expect(ask(index, 'alice', [])).toMatchObject({ verdict: 'allow' })
    index.upsert('ClusterRole', part)
    expect(ask(index, 'alice', [])).toEqual(noOpinion)
  })

  it('lists what a user holds, each binding once', async () => {
    const index = indexOf(
      role('reader', ['get']),
      role('writer', ['create'], 'a'),
      binding(
        'b',
        ['ClusterRole', 'reader'],
        [
          ['User', 'alice'],
          ['Group', 'dev'],
        ],
      ),
      binding('w', ['Role', 'writer'], [['Group', 'dev']], 'a'),
      binding('gone', ['Role', 'gone'], [['Group', 'dev']], 'a'),
    )
    const user = { name: 'alice', groups: ['dev'] }
    expect(await index.authorizer.rulesFor(user, 'a')).toEqual({
      resourceRules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['create'], apiGroups: [''], resources: ['pods'] },
      ],
      pathRules: [],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    })
    expect((await index.authorizer.rulesFor(user, 'b')).resourceRules).toHaveLength(1)
  })

  it('treats malformed objects as empty', () => {
    const odd = [{ rules: 'all' }, { rules: [null, 5, { verbs: '*', resources: ['*'], apiGroups: ['*'] }] }, {}]
    for (const rest of odd) {
      const index = indexOf(
        object('ClusterRole', 'odd', undefined, rest),
        binding('b', ['ClusterRole', 'odd'], [['User', 'alice']]),
        object('ClusterRoleBinding', 'c', undefined, { roleRef: null, subjects: [null, { kind: 'User', name: 5 }] }),
      )
      expect(ask(index, 'alice', [])).toEqual(noOpinion)
    }
  })
})

describe('the rules of a user', () => {
  const bindings = (count: number) =>
    Array.from({ length: count }, (_, index) => binding(`b${index}`, ['Role', 'r'], [['User', 'alice']], 'a'))
  const alice = { name: 'alice', groups: [] }

  it('are listed once for each role, however often it is bound', async () => {
    const index = indexOf(role('r', ['get'], 'a'), ...bindings(1_000))
    expect(await index.authorizer.rulesFor(alice, 'a')).toMatchObject({
      resourceRules: [{ verbs: ['get'] }],
      incomplete: false,
    })
  })

  it('are listed as far as one answer allows', async () => {
    const rules = Array.from({ length: 100 }, (_, index) => ({
      verbs: ['get'],
      apiGroups: [''],
      resources: [`${'x'.repeat(30_000)}${index}`],
    }))
    const index = indexOf(object('Role', 'r', 'a', { rules }), ...bindings(1))
    const told = await index.authorizer.rulesFor(alice, 'a')
    expect(told.resourceRules.length).toBeLessThan(75)
    expect(told).toMatchObject({ incomplete: true, evaluationError: expect.stringMatching(/of 100 rules are shown$/) })
  })

  it('that are missing are listed a hundred times at most', () => {
    const lost = Array.from({ length: 500 }, (_, index) =>
      binding(`b${index}`, ['Role', `lost-${index}`], [['User', 'alice']], 'a'),
    )
    expect(ask(indexOf(...lost), 'alice', [])).toMatchObject({ reason: expect.stringMatching(/, and 400 more\]$/) })
  })
})

describe('the rights of one user are found without checking everything', () => {
  const many = <T>(count: number, each: (index: number) => T) => Array.from({ length: count }, (_, i) => each(i))
  const named = (index: number) => ({
    verbs: ['get'],
    apiGroups: [''],
    resources: ['pods'],
    resourceNames: [`p${index}`],
  })
  const large = (name: string, count: number) =>
    object('Role', name, 'a', {
      rules: many(count, (index) => ({ ...named(index), resourceNames: [`${name}-${index}`] })),
    })
  const bound = (name: string) => binding(name, ['Role', name], [['User', 'alice']], 'a')

  it('rules beyond a hundred thousand about one thing are not in force, and the refusal says so', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    const index = indexOf(...names.map((name) => large(name, 20_000)), ...names.map(bound))
    const get = (name: string) =>
      index.authorizer.authorize({
        user: { name: 'alice', groups: [] },
        verb: 'get',
        group: '',
        version: 'v1',
        resource: 'pods',
        subresource: '',
        namespace: 'a',
        name,
      })
    expect(await get('one-7')).toMatchObject({ verdict: 'allow' })
    expect(await get('none')).toEqual({
      verdict: 'no-opinion',
      reason: 'RBAC: more than 100000 bindings and rules are about this, and only the first of them were looked at',
    })
    expect(ask(index, 'bob', [])).toEqual(noOpinion)
  })

  describe('however many bindings name them', () => {
    const toGroup = (name: string, role: string) => binding(name, ['Role', role], [['Group', 'all']], 'a')
    const bob = { name: 'bob', groups: ['all'] }
    const index = indexOf(role('reader', ['get'], 'a'), role('writer', ['create'], 'a'))
    for (let at = 0; at < 100_000; at += 1)
      index.upsert('RoleBinding', toGroup(`b${at}`, at < 50_000 ? 'reader' : `no${at}`))
    index.upsert('RoleBinding', toGroup('last', 'writer'))

    it('the first bindings decide at once', () => {
      expect(ask(index, 'bob', bob.groups)).toMatchObject({ verdict: 'allow' })
    })

    it('bindings beyond a hundred thousand bindings and rules are not in force, and the refusal says so', async () => {
      expect(await ask(index, 'bob', bob.groups, 'a', 'create')).toEqual({
        verdict: 'no-opinion',
        reason: 'RBAC: more than 100000 bindings and rules are about this, and only the first of them were looked at',
      })
    })

    it('a decision that looks at many lets other work have its turn, and sees what is removed in between', async () => {
      const few = indexOf(role('writer', ['create'], 'a'))
      for (let at = 0; at < 40_000; at += 1) few.upsert('RoleBinding', toGroup(`b${at}`, 'no'))
      few.upsert('RoleBinding', toGroup('last', 'writer'))
      const decision = ask(few, 'bob', bob.groups, 'a', 'create')
      expect(decision).toBeInstanceOf(Promise)
      expect(await decision).toMatchObject({ verdict: 'allow' })
      const second = ask(few, 'bob', bob.groups, 'a', 'create')
      few.remove('RoleBinding', 'a', 'last')
      expect(await second).toMatchObject({ verdict: 'no-opinion', reason: expect.stringMatching(/"no" not found$/) })
    })

    it('a review says that not all of them were looked at', async () => {
      const shown = await index.authorizer.rulesFor(bob, 'a')
      expect(shown.resourceRules).toHaveLength(1)
      expect(shown.incomplete).toBe(true)
      expect(shown.evaluationError).toMatch(/, and 49900 more\], only the first 100000 bindings were looked at$/)
    })
  })

  it('a review shows the first rules and how many there are', async () => {
    const index = indexOf(...['one', 'two', 'three'].flatMap((name) => [large(name, 30_000), bound(name)]))
    const shown = await index.authorizer.rulesFor({ name: 'alice', groups: [] }, 'a')
    expect(shown.incomplete).toBe(true)
    expect(shown.evaluationError).toMatch(/^only the first \d+ of 90000 rules are shown$/)
    expect(await index.rulesHeld({ name: 'alice', groups: [] }, 'a')).toHaveLength(50_000)
  })

  it('rules of a role share their lists', async () => {
    const [first, second] = await index50().rulesHeld({ name: 'alice', groups: [] }, 'a')
    expect(first?.verbs).toBe(second?.verbs)
    expect(first?.apiGroups).toBe(second?.apiGroups)
    expect(first?.resourceNames).not.toEqual(second?.resourceNames)
  })

  const index50 = () => indexOf(large('one', 50), bound('one'))

  it.each([
    [['a\nb'], ['a', 'b']],
    [['a,b'], ['a', 'b']],
    [['["a","b"]'], ['a', 'b']],
    [[''], []],
  ])('lists %j and %j are not taken for each other', async (verbs, others) => {
    const rules = [verbs, others].map((each) => ({ verbs: each, apiGroups: [''], resources: ['pods'] }))
    const index = indexOf(object('Role', 'r', 'a', { rules }), bound('r'))
    expect((await index.rulesHeld({ name: 'alice', groups: [] }, 'a')).map((rule) => rule.verbs)).toEqual([
      verbs,
      others,
    ])
  })

  it('the stored rules of an aggregating role are used if there is too much to gather', async () => {
    const chosen = many(300, (index) =>
      object('ClusterRole', `r${index}`, undefined, {
        metadata: { name: `r${index}`, labels: { to: 'all' } },
        rules: [named(index)],
      }),
    )
    const gathering = many(20, (index) =>
      object('ClusterRole', `all${index}`, undefined, {
        aggregationRule: {
          clusterRoleSelectors: many(20, (at) => ({ matchLabels: at === 0 ? { to: 'all' } : { at: `${at}` } })),
        },
        rules: [{ ...named(0), resourceNames: ['stored'] }],
      }),
    )
    const subject = binding('b', ['ClusterRole', 'all0'], [['User', 'alice']])
    const few = indexOf(...(chosen as KubeObject[]), ...(gathering.slice(0, 1) as KubeObject[]), subject)
    expect(await few.rulesHeld({ name: 'alice', groups: [] }, 'a')).toHaveLength(300)
    const all = indexOf(...(chosen as KubeObject[]), ...(gathering as KubeObject[]), subject)
    expect((await all.rulesHeld({ name: 'alice', groups: [] }, 'a')).map((rule) => rule.resourceNames)).toEqual([
      ['stored'],
    ])
    for (const { metadata } of (gathering as KubeObject[]).slice(1)) all.remove('ClusterRole', '', metadata.name ?? '')
    expect(await all.rulesHeld({ name: 'alice', groups: [] }, 'a')).toHaveLength(300)
  })

  it.each([
    ['a selector with many conditions', { count: 1_000, conditions: 100, names: 1 }],
    ['rules with many names', { count: 300, conditions: 1, names: 700 }],
  ])('%s is too much to gather, too', async (_, { count, conditions, names }) => {
    const labels = { to: 'all' }
    const chosen = many(count, (index) =>
      object('ClusterRole', `r${index}`, undefined, {
        metadata: { name: `r${index}`, labels },
        rules: [{ ...named(index), resourceNames: many(names, (at) => `p${index}-${at}`) }],
      }),
    )
    const matchExpressions = many(conditions, (at) => ({ key: `absent-${at}`, operator: 'DoesNotExist' }))
    const all = object('ClusterRole', 'all', undefined, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels, matchExpressions }] },
      rules: [{ ...named(0), resourceNames: ['stored'] }],
    })
    const others = many(2, (index) => ({ ...all, metadata: { name: `other${index}` } }))
    const index = indexOf(
      ...([all, ...others, ...chosen] as KubeObject[]),
      binding('b', ['ClusterRole', 'all'], [['User', 'alice']]),
    )
    expect((await index.rulesHeld({ name: 'alice', groups: [] }, 'a')).map((rule) => rule.resourceNames)).toEqual([
      ['stored'],
    ])
    for (let each = 5; each < count; each += 1) index.remove('ClusterRole', '', `r${each}`)
    expect(await index.rulesHeld({ name: 'alice', groups: [] }, 'a')).toHaveLength(5)
  })
})
