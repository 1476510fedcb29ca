import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { NetworkPolicy, NetworkPolicyPort, NetworkPolicySpec } from '../types/networking-v1.ts'
import { validateNetworkPolicy } from './network-policy-validation.ts'

export const networkPolicy = builtinKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  hasGeneration: true,
  message: 'k8s.io.api.networking.v1.NetworkPolicy',
  columns: [
    nameColumn,
    column('Pod-Selector', 'Pods that the policy applies to.', ({ spec }) =>
      orNone(labelSelectorText(spec.podSelector)),
    ),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: validateNetworkPolicy,
  },
})

function withDefaults(spec: NetworkPolicySpec): NetworkPolicySpec {
  const { ingress, egress, policyTypes } = spec
  return {
    ...spec,
    ...(ingress && { ingress: ingress.map(withProtocols) }),
    ...(egress && { egress: egress.map(withProtocols) }),
    policyTypes: policyTypes ?? ['Ingress', ...(egress === undefined ? [] : ['Egress'])],
  }
}

function withProtocols<T extends { readonly ports?: readonly NetworkPolicyPort[] }>(rule: T): T {
  if (rule.ports === undefined) return rule
  return { ...rule, ports: rule.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }
}
