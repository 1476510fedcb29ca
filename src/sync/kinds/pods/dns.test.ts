import { describe, expect, it } from 'vitest'
import type { PodSpec } from '../../../api/types/core-v1.ts'
import { hostDns } from './dns.ts'

const names = { server: '10.96.0.9', clusterDomain: 'cluster.local' }
const searches = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local']
const options = [{ name: 'ndots', value: '5' }]
const usual = { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.96.0.9'], searches, options } }
const long = (letter: string) => `${letter.repeat(60)}.example`

describe('the DNS settings of a Pod on the host', () => {
  it.each<[string, Partial<PodSpec>, object]>([
    ['by the server of the tenant', {}, usual],
    ['also if it is explicit', { dnsPolicy: 'ClusterFirst' }, usual],
    ['also with ClusterFirstWithHostNet', { dnsPolicy: 'ClusterFirstWithHostNet' }, usual],
    ['as its node does', { dnsPolicy: 'Default' }, { dnsPolicy: 'Default' }],
    ['as it says itself', { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } }, { dnsPolicy: 'None' }],
    [
      'with additions of the user',
      {
        dnsConfig: {
          nameservers: ['1.1.1.1', '10.96.0.9'],
          searches: ['example.com', 'cluster.local'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        },
      },
      {
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['10.96.0.9', '1.1.1.1'],
          searches: [...searches, 'example.com'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        },
      },
    ],
    [
      'within the limits of every host',
      { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3'], searches: ['a', 'b', 'c', 'd', 'e'] } },
      {
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['10.96.0.9', '1.1.1.1', '1.1.1.2'],
          searches: [...searches, 'a', 'b', 'c'],
          options,
        },
      },
    ],
    [
      'with search domains of 256 characters in all',
      { dnsConfig: { searches: [long('a'), long('b'), long('c')] } },
      { dnsPolicy: 'None', dnsConfig: { ...usual.dnsConfig, searches: [...searches, long('a'), long('b')] } },
    ],
  ])('%s', (_how, spec, expected) => {
    expect(hostDns({ containers: [], ...spec }, 'shop', names)).toEqual(expected)
  })

  it('are those of its node if the tenant has no DNS server', () => {
    expect(hostDns({ containers: [] }, 'shop', undefined)).toEqual({ dnsPolicy: 'Default' })
  })
})
