import { describe, expect, it } from 'vitest'
import type { ResourceRule, RuleSet } from '../../src/auth/contract.ts'
import { type Chance, chanceOf } from './chance.ts'
import { engineOf } from './engine.ts'
import {
  isLink,
  livesOutside,
  makesToken,
  managementGroup,
  type ObjectRequest,
  outcomeOf,
  ownerAllows,
  type Rights,
  type Scope,
  scopeAllows,
} from './model.ts'
import { requestBy } from './requests.ts'
import { rightsBy, scopeBy } from './scopes.ts'

const worlds = Number(process.env.SCOPE_RUNS ?? 20_000) / 40
const firstSeed = Number(process.env.SCOPE_SEED ?? 1)
const management = { kind: 'management' } as const
const note = 'rules for all resources include neither linking virtual clusters nor making tokens of service accounts'

/** A request that a rule claims to allow in the namespace. */
function claimed(chance: Chance, rule: ResourceRule, namespace: string): ObjectRequest {
  const some = (list: readonly string[], otherwise: readonly [string, ...string[]]) => {
    const picked = list[chance.below(list.length)] ?? '*'
    return picked === '*' ? chance.pick(otherwise) : picked
  }
  const group = some(rule.apiGroups, [managementGroup, '', 'apps'])
  const [resource = '', subresource = ''] = some(rule.resources, [
    'pods',
    'projects',
    'users/accesskeys',
    'x/y',
    'serviceaccounts/token',
  ]).split('/')
  const named = rule.resourceNames ?? []
  const whole =
    resource === '*' ? chance.pick(['pods', 'projects', 'virtualclusterinstances', 'serviceaccounts']) : resource
  // A rule for everything covers everything in the namespace.
  const isExact = resource !== '*' && !rule.resources.includes('*') && !rule.apiGroups.includes('*')
  return {
    verb: some(rule.verbs, ['get', 'create', 'escalate']),
    group,
    resource: whole,
    subresource,
    namespace: isExact && livesOutside(group, whole, management) === true ? '' : namespace,
    name: named.length === 0 ? chance.pick(['', 'x']) : (named[chance.below(named.length)] ?? ''),
    target: management,
  }
}

function covers(rules: RuleSet, request: ObjectRequest): boolean {
  const has = (list: readonly string[], ...texts: readonly string[]) =>
    ['*', ...texts].some((text) => list.includes(text))
  const { resource, subresource } = request
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return rules.resourceRules.some(
    (rule) =>
      has(rule.verbs, request.verb) &&
      has(rule.apiGroups, request.group) &&
      has(rule.resources, whole, ...(subresource === '' ? [] : [`*/${subresource}`])) &&
      ((rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(request.name)),
  )
}

async function reviewOf(rights: Rights, scope: Scope | undefined, namespace: string): Promise<RuleSet> {
  const { authorizer, user } = engineOf(rights, scope)
  return authorizer.rulesFor(user, namespace)
}

describe('a review of the rules of a key', () => {
  it(`claims nothing wrong, in ${worlds} worlds`, async () => {
    let claims = 0
    for (let seed = firstSeed; seed < firstSeed + worlds; seed++) {
      const chance = chanceOf(seed)
      const [rights, scope, namespace] = [rightsBy(chance), scopeBy(chance), chance.pick(['p-a', 'default', 'p-b'])]
      if (scope === undefined || Object.keys(scope).length === 0) continue
      const rules = await reviewOf(rights, scope, namespace)
      for (const rule of rules.resourceRules) {
        if (rule.apiGroups.length === 0 || rule.verbs.length === 0) continue
        for (let count = 0; count < 10; count++) {
          const request = claimed(chance, rule, namespace)
          if ((isLink(request) || makesToken(request)) && rules.evaluationError?.includes(note) === true) continue
          if (isLink(request) && isUnlimited(scope)) continue
          claims++
          // The owner's rights from a role in the namespace are shown for cluster-scoped kinds too, as on
          // kube-apiserver.
          if (scopeAllows(scope, request) && ownerAllows(rights, { ...request, namespace })) continue
          expect.fail(`Seed ${seed}: ${JSON.stringify({ rights, scope, rule, request })}`)
        }
      }
      for (const { verbs, nonResourceURLs } of rules.pathRules) {
        if (verbs.length === 0) continue
        const verb = verbs[chance.below(verbs.length)] ?? '*'
        const url = nonResourceURLs[chance.below(nonResourceURLs.length)] ?? ''
        const request = { verb: verb === '*' ? 'get' : verb, path: url.replace(/\*+$/, 'x'), target: management }
        if (request.path === 'x') continue
        if (outcomeOf(rights, scope, request) !== 'allowed') {
          expect.fail(`Seed ${seed}: ${JSON.stringify({ rights, scope, verbs, nonResourceURLs, request })}`)
        }
      }
    }
    expect(claims).toBeGreaterThan(worlds)
  })

  it(`omits nothing unless it is marked as incomplete, in ${worlds} worlds`, async () => {
    let complete = 0
    for (let seed = firstSeed; seed < firstSeed + worlds; seed++) {
      const chance = chanceOf(seed)
      const [rights, scope, namespace] = [rightsBy(chance), scopeBy(chance), 'p-a']
      const rules = await reviewOf(rights, scope, namespace)
      if (rules.incomplete || rights.superuser) continue
      complete++
      for (let count = 0; count < 20; count++) {
        const request = requestBy(chance, scope)
        if ('path' in request || request.target.kind !== 'management') continue
        const isHere = request.namespace === namespace
        const isOutside =
          request.namespace === '' && livesOutside(request.group, request.resource, request.target) === true
        if (!isHere && !isOutside) continue
        if (outcomeOf(rights, scope, request) !== 'allowed' || covers(rules, request)) continue
        expect.fail(`Seed ${seed}: ${JSON.stringify({ rights, scope, request, rules })}`)
      }
    }
    expect(complete).toBeGreaterThan(worlds / 20)
  })

  const everything: Rights = {
    superuser: false,
    roles: [
      {
        namespace: '',
        rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: ['*'] }],
      },
    ],
  }

  it('shows all rights reduced by a scope', async () => {
    const scope = {
      rules: [{ verbs: ['get'], resources: [{ resources: ['pods', 'pods/log'] }], nonResourceURLs: ['/x/*'] }],
    }
    const { resourceRules, pathRules, incomplete } = await reviewOf(everything, scope, 'default')
    expect(resourceRules).toContainEqual({ verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/log'] })
    expect(pathRules).toContainEqual({ verbs: ['get'], nonResourceURLs: ['/x/*'] })
    expect(resourceRules.some(({ verbs }) => verbs.includes('*'))).toBe(false)
    expect(incomplete).toBe(false)
  })

  it('is incomplete if RBAC cannot express a rule', async () => {
    const scope = { projects: [{ project: 'a' }] }
    const { resourceRules, incomplete } = await reviewOf(everything, scope, 'p-a')
    expect(incomplete).toBe(true)
    expect(resourceRules).toContainEqual({
      verbs: ['*'],
      apiGroups: [managementGroup],
      resources: ['projects'],
      resourceNames: ['a'],
    })
  })

  it('reports that a rule for everything has exceptions', async () => {
    const { evaluationError } = await reviewOf(everything, { rules: [{ verbs: ['get'] }] }, 'default')
    expect(evaluationError).toBe(note)
  })

  it('does not report a pattern as a wildcard that is not one in a scope', async () => {
    const { pathRules } = await reviewOf(everything, { rules: [{ nonResourceURLs: ['/lo*', '/metrics'] }] }, 'default')
    expect(pathRules).toContainEqual({ verbs: ['*'], nonResourceURLs: ['/metrics'] })
    expect(pathRules.flatMap(({ nonResourceURLs }) => nonResourceURLs)).not.toContain('/lo*')
  })

  it('shows all rights of the owner for a key without a scope', async () => {
    const rules = await reviewOf(everything, undefined, 'default')
    expect(rules.resourceRules).toEqual([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }])
    expect(rules.incomplete).toBe(false)
  })
})

function isUnlimited(scope: Scope): boolean {
  return Object.values(scope).every((value) => value === false || (Array.isArray(value) && value.length === 0))
}
