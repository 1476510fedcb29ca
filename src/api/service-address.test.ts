import { describe, expect, it } from 'vitest'
import { type ServiceDomains, translateServiceAddress } from './service-address.ts'

const domains: ServiceDomains = {
  clusterDomain: 'cluster.local',
  hostClusterDomain: 'host.example',
  hostService: (namespace, name) => ({ namespace: 'tenants', name: `v-${name}-of-${namespace}` }),
}

describe('translateServiceAddress', () => {
  it.each([
    ['web.default.svc', 'v-web-of-default.tenants.svc.host.example'],
    ['web.default.svc.cluster.local', 'v-web-of-default.tenants.svc.host.example'],
    ['web.default.svc.cluster.local.', 'v-web-of-default.tenants.svc.host.example.'],
    ['web.default.svc.', 'v-web-of-default.tenants.svc.host.example.'],
    ['web.default.svc:8080', 'v-web-of-default.tenants.svc.host.example:8080'],
    ['web.default.svc.cluster.local:443', 'v-web-of-default.tenants.svc.host.example:443'],
    ['web.default.svc.cluster.local.:65535', 'v-web-of-default.tenants.svc.host.example.:65535'],
    ['svc.svc.svc', 'v-svc-of-svc.tenants.svc.host.example'],
    [`${'a'.repeat(63)}.b.svc`, `v-${'a'.repeat(63)}-of-b.tenants.svc.host.example`],
  ])('%s is %s on the host', (address, expected) => {
    expect(translateServiceAddress(address, domains)).toEqual({ ok: true, address: expected })
  })

  it.each([
    '',
    'web',
    'web.default',
    'web.default.svc.other.domain',
    'web.default.svc.cluster.local.example.com',
    'web.default.pod',
    'pod.web.default.svc',
    'Web.default.svc',
    'web.default.svc..',
    'web.default.svc:0',
    'web.default.svc:65536',
    'web.default.svc:',
    'web.default.svc:http',
    '-web.default.svc',
    'web_1.default.svc',
    'https://web.default.svc',
    'web.default.svc/path',
    ' web.default.svc',
    `${'a'.repeat(64)}.b.svc`,
    '10.0.0.1',
    `${'a.'.repeat(5000)}svc`,
    'wéb.default.svc',
  ])('%j is refused with the expected form', (address) => {
    expect(translateServiceAddress(address, domains)).toEqual({
      ok: false,
      message: expect.stringMatching(
        /is not a service; expected is <name>\.<namespace>\.svc or .*\.svc\.cluster\.local$/,
      ),
    })
  })
})
