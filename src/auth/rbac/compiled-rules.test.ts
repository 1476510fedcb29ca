import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../api/access.ts'
import { allows, compileRules } from './compiled-rules.ts'
import { rulesOf } from './rule.ts'

const user = { name: 'u', groups: [] }

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/** `get pods/log x` in the core group, `get apps:deployments`, or `get /metrics`. */
function request(text: string): Attributes {
  const [verb = '', what = '', name = ''] = text.split(' ')
  if (what.startsWith('/')) return { user, verb, path: what }
  const [group = '', path = ''] = what.includes(':') ? what.split(':') : ['', what]
  const [resource = '', subresource = ''] = path.split('/')
  return { user, verb, group, version: 'v1', resource, subresource, namespace: 'ns', name }
}

const pods = { apiGroups: [''], resources: ['pods'] }

const cases: readonly (readonly [Rule, string, boolean])[] = [
  [{ verbs: ['get'], ...pods }, 'get pods x', true],
  [{ verbs: ['get'], ...pods }, 'list pods', false],
  [{ verbs: ['get'], ...pods }, 'get services x', false],
  [{ verbs: ['get'], ...pods }, 'get apps:pods x', false],
  [{ verbs: ['get'], ...pods }, 'get pods/log x', false],
  [{ verbs: ['*'], ...pods }, 'anything pods', true],
  [{ verbs: ['get'], apiGroups: ['*'], resources: ['pods'] }, 'get apps:pods x', true],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*'] }, 'get pods/log x', true],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*'] }, 'get apps:deployments x', false],
  [{ verbs: ['get'], apiGroups: [''], resources: ['pods/log'] }, 'get pods/log x', true],
  [{ verbs: ['get'], apiGroups: [''], resources: ['pods/log'] }, 'get pods x', false],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, 'get pods/log x', true],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, 'get pods/status x', false],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, 'get pods x', false],
  [{ verbs: ['get'], apiGroups: [''], resources: ['pods/*'] }, 'get pods/log x', false],
  [{ verbs: ['get'], apiGroups: [''], resources: ['*/*'] }, 'get pods/log x', false],
  [{ verbs: ['get'], apiGroups: [], resources: ['pods'] }, 'get pods x', false],
  [{ verbs: [], ...pods }, 'get pods x', false],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'get pods x', true],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'get pods y', false],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'create pods', false],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'list pods', false],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'deletecollection pods', false],
  [{ verbs: ['*'], ...pods, resourceNames: ['x'] }, 'list pods x', true],
  [{ verbs: ['*'], ...pods, resourceNames: ['*'] }, 'get pods x', false],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'get /metrics', true],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'get /metrics/x', false],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'post /metrics', false],
  [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }, 'get /apis/apps/v1', true],
  [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }, 'get /apis/', true],
  [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }, 'get /apis', false],
  [{ verbs: ['get'], nonResourceURLs: ['/*/x'] }, 'get /apis/x', false],
  [{ verbs: ['*'], nonResourceURLs: ['*'] }, 'get /anything', true],
  [{ verbs: ['*'], nonResourceURLs: ['*'] }, 'get pods x', false],
  [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, 'get /anything', false],
  [{ verbs: ['get'], apiGroups: ['__proto__'], resources: ['constructor'] }, 'get __proto__:constructor', true],
  [{ verbs: ['get'], ...pods }, 'get toString', false],
]

describe('a rule', () => {
  it.each(cases)('%j on "%s" allows: %s', (rule, text, allowed) => {
    expect(allows(compileRules(rulesOf({ rules: [rule] })), request(text))).toBe(allowed)
  })
})
