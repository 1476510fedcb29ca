import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysPath } from '../../platform/platform.ts'
import { answering, type HostileTenant, startHostileTenant } from './hostile-tenant.ts'

const kind = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' }
let tenant: HostileTenant
let token = ''

beforeAll(async () => {
  tenant = await startHostileTenant()
  const rules = [
    { verbs: ['get', 'list'], requestTargets: ['ProjectVirtualCluster'] },
    { verbs: ['create'], namespaces: ['elsewhere'], requestTargets: ['ProjectVirtualCluster'] },
    { namespaces: ['default'], requestTargets: ['ProjectVirtualCluster'] },
  ]
  const key = { metadata: { name: 'scoped' }, spec: { user: 'admin', scope: { rules } } }
  token = (await tenant.platform.must('POST', keysPath, key)).spec.key
})

afterAll(() => tenant?.stop())

/** What a key with a scope is told when the virtual cluster claims these rules. */
async function reviewOf(status: object) {
  const body = JSON.stringify({ ...kind, metadata: {}, spec: {}, status: { incomplete: false, ...status } })
  tenant.say(answering({ ':status': 201, 'content-type': 'application/json' }, body))
  return review()
}

function review() {
  const path = `${tenant.base}/apis/authorization.k8s.io/v1/selfsubjectrulesreviews`
  return tenant.platform.ask('POST', path, { token, body: { ...kind, spec: { namespace: 'default' } } })
}

const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36))
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }

describe('a virtual cluster that claims rules for a key with a scope', () => {
  test.each<readonly [string, object]>([
    [
      '100,000 groups and as many resources in one of them',
      { resourceRules: [{ ...rule, apiGroups: names(100_000), resources: names(100_000) }], nonResourceRules: [] },
    ],
    [
      '200,000 verbs and names',
      {
        resourceRules: [{ ...rule, verbs: names(200_000), resourceNames: names(200_000) }],
        nonResourceRules: [],
      },
    ],
    ['30,000 rules', { resourceRules: names(30_000).map((name) => ({ ...rule, resources: [name] })) }],
    [
      'a verb of a megabyte for 100 resources',
      { resourceRules: [{ ...rule, verbs: ['get'.repeat(400_000)], resources: names(100) }], nonResourceRules: [] },
    ],
    [
      'as many paths as fit into an answer',
      { resourceRules: [], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: names(400_000) }] },
    ],
  ])('gets no more than an incomplete answer for %s', async (_, status) => {
    const answer = await reviewOf(status)
    expect(answer.status).toBe(201)
    expect(answer.body.status).toEqual({ resourceRules: [], nonResourceRules: [], incomplete: true })
    expect((await tenant.platform.ask('GET', '/livez')).status).toBe(200)
  })

  test('cannot make the platform fail by an answer that is nested too deeply', async () => {
    const status = { resourceRules: [rule], nonResourceRules: [], incomplete: false }
    const text = JSON.stringify({ ...kind, metadata: {}, status }).slice(0, -1)
    const body = `${text},"deep":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
    tenant.say(answering({ ':status': 201, 'content-type': 'application/json' }, body))
    const answer = await review()
    expect([answer.status, answer.body.status]).toEqual([201, status])
  })

  test('is believed for as many rules as API servers have', async () => {
    const resourceRules = names(200).map((name) => ({ ...rule, resources: [name, `${name}/status`] }))
    const answer = await reviewOf({ resourceRules, nonResourceRules: [] })
    expect(answer.body.status).toMatchObject({ incomplete: false, resourceRules })
  })
})
