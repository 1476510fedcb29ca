import { beforeAll, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../src/auth/member.ts'
import { audience, type Reviews, startReviews } from './harness.ts'

let reviews: Reviews
const review: Reviews['review'] = (...request) => reviews.review(...request)
const statusOf = async (...request: Parameters<typeof review>) => Reflect.get(await review(...request), 'status')
const base64 = (text: string) => Buffer.from(text, 'base64')

beforeAll(async () => {
  reviews = await startReviews()
})

describe('TokenRequest', () => {
  const ask = (body: object | Buffer, name = 'sa1') => review('token', body, { namespace: 'pbns', name })

  it('returns a token that the server accepts, as kubectl requests it', async () => {
    const sent = base64(
      'azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIdChAKABIAGgAiACoAMgA4AEIAEgMgsAkaBAoAEgAaACIA',
    )
    const answer = await ask(sent)
    expect(answer).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'sa1', namespace: 'pbns', creationTimestamp: '2026-11-15T01:01:29Z' },
      spec: { audiences: [audience], expirationSeconds: 1200, boundObjectRef: null },
      status: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expirationTimestamp: '2026-11-15T01:21:29Z' },
    })
    const token = textAt(objectAt(answer, 'status'), 'token')
    expect(await statusOf('tokenreviews', { spec: { token } })).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:pbns:sa1', uid: 'sa-uid' },
      audiences: [audience],
    })
  })

  it('uses an hour and the requested audiences', async () => {
    const answer = await ask({ spec: { audiences: ['vault'] } })
    expect(answer).toMatchObject({ spec: { audiences: ['vault'], expirationSeconds: 3600 } })
    const token = textAt(objectAt(answer, 'status'), 'token')
    expect(await statusOf('tokenreviews', { spec: { token } })).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${audience}"]]`,
    })
  })

  it('binds the token to a Pod, and to the node of the Pod', async () => {
    const answer = await ask({ spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p1' } } })
    const token = textAt(objectAt(answer, 'status'), 'token')
    expect(await statusOf('tokenreviews', { spec: { token } })).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p1'],
          'authentication.kubernetes.io/node-uid': ['node-uid'],
        },
      },
    })
  })

  it.each([
    [
      'a short life',
      { spec: { expirationSeconds: 599 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'an endless life',
      { spec: { expirationSeconds: 2 ** 32 + 1 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'another name',
      { metadata: { name: 'x' } },
      422,
      'TokenRequest.authentication.k8s.io "sa1" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [
      'another namespace',
      { metadata: { namespace: 'x' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a pod of another account',
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p2' } } },
      400,
      'cannot bind token for serviceaccount "sa1" to pod running with different serviceaccount name.',
    ],
    [
      'a deleted Pod',
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p3' } } },
      404,
      'pods "p3" not found',
    ],
    [
      'a pod without a name',
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1' } } },
      400,
      'Name parameter required.',
    ],
    [
      'a Pod that was replaced',
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p1', uid: 'old' } } },
      409,
      'the UID in the bound object reference (old) does not match the UID in record.',
    ],
    [
      'a kind that tokens cannot be bound to',
      { spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'c' } } },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
  ])('refuses %s', async (_name, body, code, message) => {
    expect(await ask(body)).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('requires an existing account', async () => {
    expect(await ask({}, 'ghost')).toMatchObject({ code: 404, message: 'serviceaccounts "ghost" not found' })
  })
})
