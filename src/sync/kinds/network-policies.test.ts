import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { KindSetting } from '../contract.ts'
import { selectedKey } from '../names/host-labels.ts'
import { hostNamesOf } from '../names/host-names.ts'
import { networkPoliciesSync } from './network-policies.ts'

function settingOf(config: TenantConfig): KindSetting {
  const { forKinds } = hostNamesOf({ tenant: 'demo', hostNamespace: 'tenants' }, effectiveConfig(config))
  return { names: forKinds, virtualFollowsHostAddresses: false, podsRunOnHost: true }
}

const shared = settingOf({})
const own = settingOf({ sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { '*': 'demo-*' } } } } } })

function policy(spec: object): KubeObject {
  const metadata = { name: 'deny', namespace: 'default' }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }
}

const ofTenant = { 'tenant.internal/managed-by': 'demo', 'tenant.internal/tenant-namespace': 'tenants' }
const inNamespace = (name: string, labels: object = {}) => ({
  matchLabels: { ...labels, ...ofTenant },
  matchExpressions: [{ key: 'tenant.internal/object-namespace', operator: 'In', values: [name] }],
})

describe('a NetworkPolicy in a namespace of the host that others use, too', () => {
  it.each<[string, object, object]>([
    ['all Pods', { podSelector: {} }, { podSelector: inNamespace('default') }],
    [
      'some Pods',
      { podSelector: { matchLabels: { app: 'web' } } },
      { podSelector: inNamespace('default', { [selectedKey('app')]: 'web' }) },
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
      'addresses, ports and a rule for all peers, which are unchanged',
      { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 53 }] }, {}] },
      {
        podSelector: inNamespace('default'),
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 53 }] }, {}],
      },
    ],
  ])('applies to the Pods of its tenant: %s', (_what, spec, expected) => {
    expect(networkPoliciesSync.leavesOut?.(policy(spec), shared)).toBeUndefined()
    expect(networkPoliciesSync.toHost(policy(spec), shared)).toEqual({ spec: expected })
  })

  const byLabels = {
    podSelector: {},
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] }],
  }

  it('is not synced if it selects namespaces by labels', () => {
    expect(networkPoliciesSync.leavesOut?.(policy(byLabels), shared)).toMatch(/namespaces/)
  })

  it('selects namespaces by labels if each has its own on the host, and there only the Pods of its tenant', () => {
    const [from] = byLabels.ingress[0]?.from ?? []
    expect(networkPoliciesSync.leavesOut?.(policy(byLabels), own)).toBeUndefined()
    expect(networkPoliciesSync.toHost(policy(byLabels), own)).toEqual({
      spec: {
        podSelector: inNamespace('default'),
        ingress: [{ from: [{ ...from, podSelector: { matchLabels: ofTenant } }] }],
      },
    })
  })

  it('names other namespaces by the Pods in them, whatever their names on the host', () => {
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'other' } }
    const { spec } = networkPoliciesSync.toHost(
      policy({ podSelector: {}, egress: [{ to: [{ namespaceSelector }] }] }),
      own,
    )
    expect(spec).toMatchObject({ egress: [{ to: [{ namespaceSelector: {}, podSelector: inNamespace('other') }] }] })
  })
})
