import { describe, expect, it } from 'vitest'
import type { Decision } from '../api/access.ts'
import type { Authorizer, RuleSet } from './contract.ts'
import { firstOpinion } from './first-opinion.ts'

const attributes = { user: { name: 'u', groups: [] }, verb: 'get', path: '/' }
const noRules: RuleSet = { resourceRules: [], pathRules: [], incomplete: false }

function saying(verdict: Decision['verdict'], reason: string, rules = noRules): Authorizer {
  return { authorize: () => ({ verdict, reason }), rulesFor: () => rules }
}

function later(authorizer: Authorizer): Authorizer {
  return { ...authorizer, authorize: async (asked) => authorizer.authorize(asked) }
}

const silent = saying('no-opinion', 'first')
const allowing = saying('allow', 'yes')
const denying = saying('deny', 'no')

describe('the first opinion among authorizers', () => {
  it.each([
    ['allows', [silent, allowing, denying], { verdict: 'allow', reason: 'yes' }],
    ['denies', [silent, denying, allowing], { verdict: 'deny', reason: 'no' }],
    ['may come late', [later(silent), silent, later(denying), allowing], { verdict: 'deny', reason: 'no' }],
    [
      'may be missing, and then every reason is reported',
      [silent, later(saying('no-opinion', '')), saying('no-opinion', 'second')],
      { verdict: 'no-opinion', reason: 'first\nsecond' },
    ],
    ['is none without authorizers', [], { verdict: 'no-opinion', reason: '' }],
  ] as const)('%s', async (_name, authorizers, decision) => {
    expect(await firstOpinion(authorizers).authorize(attributes)).toEqual(decision)
  })

  it('is returned synchronously when every authorizer answers synchronously', () => {
    expect(firstOpinion([silent, allowing]).authorize(attributes)).toEqual({ verdict: 'allow', reason: 'yes' })
  })

  it('leaves the rules of all of them in force', async () => {
    const rule = { verbs: ['get'], nonResourceURLs: ['/'] }
    const partial = { ...noRules, pathRules: [rule], incomplete: true, evaluationError: 'one is out' }
    const all = firstOpinion([
      saying('no-opinion', '', { ...noRules, pathRules: [rule] }),
      saying('no-opinion', '', partial),
    ])
    expect(await all.rulesFor(attributes.user, 'ns')).toEqual({ ...partial, pathRules: [rule, rule] })
  })
})
