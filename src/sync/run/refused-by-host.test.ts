import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { refusedByHost } from './refused-by-host.ts'

const virtual = { namespace: 'shop', name: 'web' }
const place = { namespace: 'tenants', name: 'v-web-abc' }

function told(code: number, message: string): string | undefined {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden' } as const
  return refusedByHost(new ApiError({ ...status, message, code }), virtual, place)?.message
}

describe('a copy that the host refuses', () => {
  it.each([
    [
      403,
      'pods "v-web-abc" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4',
      /^a ResourceQuota of the host refused it: pods "web" is forbidden: exceeded quota: q.*ask for less/,
    ],
    [403, 'pods "v-web-abc" is forbidden: maximum cpu usage per Container is 1', /^a LimitRange of the host/],
    [403, 'pods "v-web-abc" is forbidden: violates PodSecurity "restricted:latest"', /^PodSecurity of the host/],
    [
      403,
      'admission webhook "x.example.com" denied the request: no',
      /^an admission webhook of the host.*x\.example\.com/,
    ],
    [403, 'pods "v-web-abc" is forbidden: no PriorityClass with name high was found', /^PriorityClass admission/],
    [403, 'pods is forbidden: User "u" cannot create resource "pods" in API group ""', /^authorization of the host/],
    [422, 'Pod "v-web-abc" is invalid: spec.x: Invalid value', /^validation of the host.*Pod "web" is invalid/],
    [403, 'no reason at all', /^the host refused it: no reason at all$/],
  ])('%s %s', (code, message, expected) => {
    expect(told(code, message)).toMatch(expected)
  })

  it('is not one that could not be asked', () => {
    expect(told(503, 'busy')).toBeUndefined()
    expect(refusedByHost(new Error('gone'), virtual, place)).toBeUndefined()
  })
})
