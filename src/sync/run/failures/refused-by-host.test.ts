import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../api/error.ts'
import { isRefusedByQuota, partRefusedByHost, refusedByHost } from './refused-by-host.ts'

const virtual = { namespace: 'shop', name: 'web' }
const place = { namespace: 'tenants', name: 'v-web-abc' }

function refusal(code: number, message: string, details = {}): ApiError {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden' } as const
  return new ApiError({ ...status, message, code, details })
}

function told(code: number, message: string): string | undefined {
  return refusedByHost(refusal(code, message), virtual, place)?.message
}

describe('a copy that the host refuses', () => {
  it('with a very long message is reported briefly', () => {
    expect(told(403, 'maximum '.repeat(1_000_000))?.length).toBeLessThan(5_000)
  })

  it.each([
    [
      403,
      'pods "v-web-abc" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4',
      /^a ResourceQuota of the host refused it: pods "web" is forbidden: exceeded quota: q.*request less/,
    ],
    [403, 'pods "v-web-abc" is forbidden: maximum cpu usage per Container is 1', /^a LimitRange of the host/],
    [403, 'pods "v-web-abc" is forbidden: violates PodSecurity "restricted:latest"', /^PodSecurity of the host/],
    [
      403,
      'admission webhook "x.example.com" denied the request: no',
      /^an admission webhook of the host.*x\.example\.com/,
    ],
    [
      400,
      'admission webhook "x.example.com" denied the request: no',
      /^an admission webhook of the host.*x\.example\.com/,
    ],
    [
      500,
      'Internal error occurred: failed calling webhook "x.example.com": Post "https://x.ns.svc:443": dial tcp 10.0.0.1',
      /^an admission webhook of the host refused it: Internal error occurred: failed calling webhook "x.example.com" \(/,
    ],
    [403, 'pods "v-web-abc" is forbidden: no PriorityClass with name high was found', /^PriorityClass admission/],
    [403, 'pods is forbidden: User "u" cannot create resource "pods" in API group ""', /^authorization of the host/],
    [422, 'Pod "v-web-abc" is invalid: spec.x: Invalid value', /^validation of the host.*Pod "web" is invalid/],
    [403, 'no reason at all', /^the host refused it: no reason at all$/],
  ])('%s %s', (code, message, expected) => {
    expect(told(code, message)).toMatch(expected)
  })

  it.each<[string, 'anything' | readonly string[], boolean]>([
    ['exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2', ['pods'], true],
    ['exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2', 'anything', true],
    ['exceeded quota: q, requested: limits.cpu=2,requests.cpu=1, used: limits.cpu=1', ['requests.cpu'], true],
    ['exceeded quota: q, requested: requests.cpu=64, used: requests.cpu=1', ['secrets', 'cpu'], false],
    ['failed quota: q: must specify limits.cpu for: main; limits.memory for: main', ['limits.memory'], true],
    ['failed quota: q: must specify limits.cpu,limits.memory', ['limits.memory'], true],
    ['exceeded quota: secrets, requested: pods=1, used: pods=2, limited: pods=2', ['secrets'], false],
    ['exceeded quota: q, requested: limits.cpu=2, used: limits.cpu=1, limited: limits.cpu=2', ['pods'], false],
    ['failed quota: secrets: must specify limits.cpu for: count/secrets,secrets', ['secrets'], false],
    ['violates PodSecurity "restricted:latest"', 'anything', false],
  ])('because of "%s" is retried when quotas have room for %j: %s', (message, room, expected) => {
    const trouble = { reason: 'RefusedByHost', message: told(403, `pods "v-web-abc" is forbidden: ${message}`) ?? '' }
    expect(isRefusedByQuota(trouble, room === 'anything' ? room : new Set(room))).toBe(expected)
  })

  it('is not reported if the host could not answer', () => {
    expect(told(503, 'busy')).toBeUndefined()
    expect(refusedByHost(new Error('gone'), virtual, place)).toBeUndefined()
  })
})

describe('a part of a copy that the host refuses', () => {
  const partTold = (error: unknown) => partRefusedByHost(error, 'pods/resize', virtual, place)?.trouble

  it('because it does not know it', () => {
    expect(partTold(refusal(404, 'the server could not find the requested resource'))).toEqual({
      reason: 'NotServedByHost',
      message: expect.stringContaining('the host does not serve pods/resize'),
    })
  })

  it('names the layer', () => {
    expect(partTold(refusal(403, 'pods "v-web-abc" is forbidden: exceeded quota: q'))).toEqual({
      reason: 'RefusedByHost',
      message: expect.stringMatching(/^pods\/resize: a ResourceQuota of the host refused it: pods "web"/),
    })
  })

  it('is not reported for a deleted or changed copy', () => {
    expect(partTold(refusal(404, 'pods "v-web-abc" not found', { name: 'v-web-abc' }))).toBeUndefined()
    expect(partTold(refusal(409, 'changed'))).toBeUndefined()
  })
})
