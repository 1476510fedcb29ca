import { beforeAll, describe, expect, it } from 'vitest'
import { alice, audience, type Reviews, startReviews } from './harness.ts'

let reviews: Reviews
const review: Reviews['review'] = (...request) => reviews.review(...request)
const statusOf = async (...request: Parameters<typeof review>) => Reflect.get(await review(...request), 'status')
const base64 = (text: string) => Buffer.from(text, 'base64')

beforeAll(async () => {
  reviews = await startReviews()
})

describe('SelfSubjectReview', () => {
  it('returns the caller', async () => {
    expect(await review('selfsubjectreviews', {}, { user: alice })).toEqual({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: '2026-11-15T01:01:29Z' },
      status: { userInfo: { username: 'alice', uid: 'alice-uid', groups: ['dev', 'system:authenticated'] } },
    })
  })

  it('is accepted as kubectl sends it', async () => {
    const sent = base64(
      'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
    )
    expect(await statusOf('selfsubjectreviews', sent)).toEqual({
      userInfo: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
    })
  })

  it('includes the extra fields of the user', async () => {
    const user = { ...alice, extra: { scopes: ['view'] } }
    expect(await statusOf('selfsubjectreviews', {}, { user })).toMatchObject({
      userInfo: { extra: { scopes: ['view'] } },
    })
  })
})

describe('TokenReview', () => {
  it('returns the user of a token', async () => {
    expect(await review('tokenreviews', { spec: { token: 'alice-token' } })).toEqual({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: { token: 'alice-token' },
      status: {
        authenticated: true,
        user: { username: 'alice', uid: 'alice-uid', groups: ['dev', 'system:authenticated'] },
        audiences: [audience],
      },
    })
  })

  it('reports that a token is unknown', async () => {
    const unknown = { user: {}, error: 'invalid bearer token' }
    expect(await statusOf('tokenreviews', { spec: { token: 'nope' } })).toEqual(unknown)
    expect(await statusOf('tokenreviews', { spec: { token: 'alice-token', audiences: ['elsewhere'] } })).toEqual(
      unknown,
    )
  })

  it('requires a token', async () => {
    expect(await review('tokenreviews', { spec: {} })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'token is required for TokenReview in authentication',
      reason: 'BadRequest',
      code: 400,
    })
  })
})

describe('every review', () => {
  it('has a kind and an apiVersion', () => {
    expect(
      reviews.resources.map(({ group, kind, plural, namespaced, parent }) => ({
        group,
        kind,
        plural,
        namespaced,
        parent,
      })),
    ).toEqual([
      { group: 'authentication.k8s.io', kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', namespaced: false },
      { group: 'authentication.k8s.io', kind: 'TokenReview', plural: 'tokenreviews', namespaced: false },
      {
        group: 'authorization.k8s.io',
        kind: 'LocalSubjectAccessReview',
        plural: 'localsubjectaccessreviews',
        namespaced: true,
      },
      {
        group: 'authorization.k8s.io',
        kind: 'SelfSubjectAccessReview',
        plural: 'selfsubjectaccessreviews',
        namespaced: false,
      },
      {
        group: 'authorization.k8s.io',
        kind: 'SelfSubjectRulesReview',
        plural: 'selfsubjectrulesreviews',
        namespaced: false,
      },
      { group: 'authorization.k8s.io', kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', namespaced: false },
      {
        group: 'authentication.k8s.io',
        kind: 'TokenRequest',
        plural: 'token',
        namespaced: true,
        parent: 'serviceaccounts',
      },
    ])
    for (const { schema, protobufMessage, kind } of reviews.resources) {
      expect(schema.properties).toHaveProperty('metadata')
      expect(protobufMessage).toMatch(new RegExp(`\\.v1\\.${kind}$`))
    }
  })
})
