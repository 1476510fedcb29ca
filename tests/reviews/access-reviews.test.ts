import { beforeAll, describe, expect, it } from 'vitest'
import { admin, alice, type Reviews, startReviews } from './harness.ts'

let reviews: Reviews
const review: Reviews['review'] = (...request) => reviews.review(...request)
const statusOf = async (...request: Parameters<typeof review>) => Reflect.get(await review(...request), 'status')
const base64 = (text: string) => Buffer.from(text, 'base64')

beforeAll(async () => {
  reviews = await startReviews()
})

const pods = { verb: 'get', resource: 'pods' }

function invalidReview(...causes: readonly (readonly [field: string, message: string])[]) {
  const texts = causes.map(([field, message]) => `${field}: ${message}`)
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `.authorization.k8s.io "" is invalid: ${list}`,
    reason: 'Invalid',
    details: {
      group: 'authorization.k8s.io',
      causes: causes.map(([field, message]) => ({ reason: 'FieldValueInvalid', message, field })),
    },
    code: 422,
  }
}

const exactlyOne = [
  'spec.resourceAttributes',
  'Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
] as const

describe('SelfSubjectAccessReview', () => {
  it.each([
    ['a refusal', { resourceAttributes: pods }, alice, { allowed: false }],
    ['all that there is', { resourceAttributes: { verb: '*', resource: '*', group: '*' } }, admin, { allowed: true }],
    [
      'a permission, with its reason',
      { nonResourceAttributes: { verb: 'get', path: '/version' } },
      alice,
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole "system:public-info-viewer" to Group "system:authenticated"',
      },
    ],
  ])('answers with %s', async (_name, spec, user, status) => {
    expect(await review('selfsubjectaccessreviews', { spec }, { user })).toEqual({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec,
      status,
    })
  })

  it.each([
    [
      { resourceAttributes: { namespace: 'pbns', verb: 'get', resource: 'pods', name: 'log' } },
      'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPAoQCgASABoAIgAqADIAOABCABIeChwKBHBibnMSA2dldBoAIgAqBHBvZHMyADoDbG9nGggIABIAGgAgABoAIgA=',
    ],
    [
      { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
      'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSLwoQCgASABoAIgAqADIAOABCABIREg8KCC9tZXRyaWNzEgNnZXQaCAgAEgAaACAAGgAiAA==',
    ],
  ])('is accepted as kubectl sends it: %j', async (spec, sent) => {
    expect(await review('selfsubjectaccessreviews', base64(sent))).toEqual({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed: true },
    })
  })

  it('has exactly one question, and no metadata', async () => {
    expect(await review('selfsubjectaccessreviews', { spec: {} })).toEqual(invalidReview(exactlyOne))
    const both = { resourceAttributes: pods, nonResourceAttributes: { verb: 'get', path: '/' } }
    expect(await review('selfsubjectaccessreviews', { metadata: { name: 'x' }, spec: both })).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'spec.nonResourceAttributes' }, { field: 'metadata' }] },
    })
    const fieldSelector = { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] }
    expect(
      await review('selfsubjectaccessreviews', { spec: { resourceAttributes: { ...pods, fieldSelector } } }),
    ).toEqual(
      invalidReview([
        'spec.resourceAttributes.fieldSelector.rawSelector',
        'Invalid value: "a=b": may not specified at the same time as requirements',
      ]),
    )
  })

  it.each([
    [
      'labelSelector',
      { key: 'a', operator: 'In' },
      ["values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
    ],
    [
      'labelSelector',
      { key: 'a', operator: 'Exists', values: ['x'] },
      ["values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
    ],
    [
      'fieldSelector',
      { key: '', operator: 'In' },
      [
        'key: Required value: must be specified',
        "values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    ['labelSelector', { key: 'a', operator: 'Foo' }, []],
    ['fieldSelector', { key: 'a', operator: 'In', values: ['x y'] }, []],
  ])('validates what %s requires: %j', async (member, requirement, problems) => {
    const selector = { [member]: { requirements: [requirement] } }
    const answer = await review('selfsubjectaccessreviews', { spec: { resourceAttributes: { ...pods, ...selector } } })
    const at = `spec.resourceAttributes.${member}.requirements[0].`
    const told = problems.map((each) => at + each)
    if (told.length === 0) expect(answer).toMatchObject({ status: { allowed: expect.any(Boolean) } })
    else {
      const list = told.length === 1 ? told[0] : `[${told.join(', ')}]`
      expect(answer).toMatchObject({ code: 422, message: `.authorization.k8s.io "" is invalid: ${list}` })
    }
  })
})

describe('SubjectAccessReview', () => {
  it('answers for another user, with the given groups only', async () => {
    const path = { nonResourceAttributes: { verb: 'get', path: '/api' } }
    expect(await statusOf('subjectaccessreviews', { spec: { user: 'bob', ...path } })).toEqual({ allowed: false })
    expect(
      await statusOf('subjectaccessreviews', { spec: { groups: ['system:authenticated'], ...path } }),
    ).toMatchObject({
      allowed: true,
    })
    const spec = { user: 'alice', groups: ['dev'], resourceAttributes: { ...pods, namespace: 'default' } }
    expect(await statusOf('subjectaccessreviews', { spec })).toEqual({ allowed: false })
  })

  it('requires a user or a group', async () => {
    expect(await review('subjectaccessreviews', { spec: {} })).toEqual(
      invalidReview(exactlyOne, ['spec.user', 'Invalid value: "": at least one of user or group must be specified']),
    )
  })

  it('reports an invalid user before an invalid selector', async () => {
    const spec = { resourceAttributes: { ...pods, fieldSelector: {} } }
    expect(await review('subjectaccessreviews', { spec })).toMatchObject({
      code: 422,
      details: {
        causes: [{ field: 'spec.user' }, { field: 'spec.resourceAttributes.fieldSelector.requirements' }],
      },
    })
  })
})

describe('LocalSubjectAccessReview', () => {
  const ask = (body: object) => review('localsubjectaccessreviews', body, { namespace: 'a' })

  it('answers for its namespace', async () => {
    const spec = { user: 'root', groups: ['system:masters'], resourceAttributes: { ...pods, namespace: 'a' } }
    expect(await ask({ spec })).toMatchObject({ metadata: { namespace: 'a' }, status: { allowed: true } })
  })

  it('is limited to it', async () => {
    const elsewhere = { user: 'u', resourceAttributes: { ...pods, namespace: 'b' } }
    expect(await ask({ spec: elsewhere })).toEqual(
      invalidReview(['spec.resourceAttributes.namespace', 'Invalid value: "b": must match metadata.namespace']),
    )
    expect(await ask({ metadata: { namespace: 'b' }, spec: elsewhere })).toMatchObject({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    })
    const path = { user: 'u', nonResourceAttributes: { verb: 'get', path: '/' } }
    expect(await ask({ spec: path })).toMatchObject({ details: { causes: [{ field: 'spec.nonResourceAttributes' }] } })
  })
})

describe('SelfSubjectRulesReview', () => {
  const create = { verbs: ['create'] }

  it('lists the rights of the caller', async () => {
    expect(await review('selfsubjectrulesreviews', { spec: { namespace: 'pbns' } }, { user: alice })).toMatchObject({
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: [
          {
            ...create,
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
          { ...create, apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
        ],
        nonResourceRules: [{ verbs: ['get'] }, { verbs: ['get'] }],
        incomplete: false,
      },
    })
  })

  it('is accepted as kubectl sends it', async () => {
    const sent = base64(
      'azhzAAoxChdhdXRob3JpemF0aW9uLms4cy5pby92MRIWU2VsZlN1YmplY3RSdWxlc1JldmlldxIgChAKABIAGgAiACoAMgA4AEIAEgYKBHBibnMaBBgAIgAaACIA',
    )
    expect(await statusOf('selfsubjectrulesreviews', sent)).toMatchObject({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, create, create],
    })
  })

  it('requires a namespace', async () => {
    expect(await review('selfsubjectrulesreviews', { spec: {} })).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'no namespace on request',
    })
  })
})
