import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { KindSetting } from '../contract.ts'
import { hostNamesOf } from '../names/host-names.ts'
import { networkPoliciesSync } from './network-policies.ts'

function settingOf(config: TenantConfig): KindSetting {
  const { forKinds } = hostNamesOf({ tenant: 'demo', hostNamespace: 'tenants' }, effectiveConfig(config))
  return { names: forKinds, virtualFollowsHostAddresses: false }
}

const shared = settingOf({})
const own = settingOf({ sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'demo-*' } } } } } })

function policy(spec: object): KubeObject {
  const metadata = { name: 'deny', namespace: 'default' }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }
}

const ofTenant = { 'tenant.internal/managed-by': 'demo' }
const inNamespace = (name: string) => ({ matchLabels: { ...ofTenant, 'tenant.internal/object-namespace': name } })

describe('a NetworkPolicy in a namespace of the host that others use too', () => {
  it.each<[string, object, object]>([
    ['all Pods', { podSelector: {} }, { podSelector: inNamespace('default') }],
    [
      'some Pods',
      { podSelector: { matchLabels: { app: 'web' } } },
      { podSelector: { matchLabels: { app: 'web', ...inNamespace('default').matchLabels } } },
    ],
    [
      'peers in its namespace, in all, and in a named one',
      {
        podSelector: {},
        ingress: [
          {
            from: [
              { podSelector: {} },
              { namespaceSelector: {} },
              { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } }, podSelector: {} },
            ],
          },
        ],
      },
      {
        podSelector: inNamespace('default'),
        ingress: [
          {
            from: [
              { podSelector: inNamespace('default') },
              { podSelector: { matchLabels: ofTenant } },
              { podSelector: inNamespace('other') },
            ],
          },
        ],
      },
    ],
    [
      'addresses and ports, which stay, and a rule for all peers, which stays a rule for all peers',
      { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 53 }] }, {}] },
      {
        podSelector: inNamespace('default'),
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 53 }] }, {}],
      },
    ],
  ])('is about the Pods of its tenant: %s', (_what, spec, expected) => {
    expect(networkPoliciesSync.leavesOut?.(policy(spec), shared)).toBeUndefined()
    expect(networkPoliciesSync.toHost(policy(spec), shared)).toEqual({ spec: expected })
  })

  const byLabels = {
    podSelector: {},
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] }],
  }

  it('stays in the virtual cluster if it selects namespaces by labels', () => {
    expect(networkPoliciesSync.leavesOut?.(policy(byLabels), shared)).toMatch(/namespaces/)
  })

  it('is carried as it is where the namespace is the tenant’s own', () => {
    expect(networkPoliciesSync.leavesOut?.(policy(byLabels), own)).toBeUndefined()
    expect(networkPoliciesSync.toHost(policy(byLabels), own)).toEqual({ spec: byLabels })
  })
})
