import type { EffectiveConfig } from '../../../../api/tenant-config/types.ts'
import type {
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../../../api/types/networking-v1.ts'
import { markLabels } from '../../../../sync/names/markers.ts'
import { podNetworkOf } from '../../../../tenant/pod-network.ts'
import type { Manifest } from '../../../host/manifest.ts'
import type { TenantDeployment } from '../contract.ts'
import { objectLabels, selectorLabels } from '../labels.ts'
import { objectNames } from '../names.ts'
import { tenantApiPort, tenantDnsPort } from '../stateful-set.ts'
import { outsideBlocks, wholeRange } from './outside.ts'

const dnsPorts: readonly NetworkPolicyPort[] = [
  { protocol: 'UDP', port: tenantDnsPort },
  { protocol: 'TCP', port: tenantDnsPort },
]

const apiPort: NetworkPolicyPort = { protocol: 'TCP', port: tenantApiPort }

/** One policy for the Pods of a tenant, and one for its own process: only its Pods may use its DNS. */
export function networkPolicyManifests(deployment: TenantDeployment): readonly Manifest[] {
  const { name } = deployment
  const own = ownPods(deployment)
  const process = { podSelector: { matchLabels: selectorLabels(deployment) } }
  const ingress = [{ ports: [apiPort] }, { from: [own], ports: dnsPorts }]
  return [
    policy(deployment, objectNames.workloads(name), {
      ...own,
      policyTypes: ['Ingress', 'Egress'],
      ingress: ingressOf(deployment, own, process),
      egress: egressOf(deployment, own, process),
    }),
    policy(deployment, objectNames.process(name), { ...process, policyTypes: ['Ingress'], ingress }),
  ]
}

/** Selects by labels that only the syncer sets. */
function ownPods({ name, namespace }: TenantDeployment) {
  return { podSelector: { matchLabels: markLabels({ identity: { tenant: name, hostNamespace: namespace } }) } }
}

/** The process of the tenant calls webhooks that run in its Pods. */
function ingressOf(
  deployment: TenantDeployment,
  own: NetworkPolicyPeer,
  process: NetworkPolicyPeer,
): readonly NetworkPolicyIngressRule[] {
  const { fromNamespaces } = deployment.config.policies.isolation.networkPolicies
  const named = { key: 'kubernetes.io/metadata.name', operator: 'In', values: fromNamespaces }
  return [
    {
      from: [
        own,
        process,
        ...(fromNamespaces.length === 0 ? [] : [{ namespaceSelector: { matchExpressions: [named] } }]),
        ...beyondTenant(deployment),
      ],
    },
  ]
}

function egressOf(
  deployment: TenantDeployment,
  own: NetworkPolicyPeer,
  process: NetworkPolicyPeer,
): readonly NetworkPolicyEgressRule[] {
  return [
    { to: [own, ...beyondTenant(deployment)] },
    { to: [process], ports: [apiPort, ...dnsPorts] },
    ...servicesElsewhere(deployment.config),
  ]
}

/** Public addresses, and those that the operator has allowed. */
function beyondTenant({ config: { policies }, resources }: TenantDeployment): readonly NetworkPolicyPeer[] {
  const { host = [], denied } = policies.sync.endpointAddresses
  const { podRanges } = policies.isolation.networkPolicies
  const allowed = policies.isolation.networkPolicies.allowed.map((range) => ({ cidr: wholeRange(range) }))
  const closed = [...host, ...denied, ...podRanges, ...resources.podRanges]
  return [...outsideBlocks(closed), ...allowed].map((ipBlock) => ({ ipBlock }))
}

/** An API or a DNS server other than the tenant's own process. */
function servicesElsewhere({ networking }: EffectiveConfig): readonly NetworkPolicyEgressRule[] {
  const { api, dns } = podNetworkOf(networking, undefined)
  const dnsAt53 = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }))
  return [
    ...(api === undefined ? [] : [{ to: [at(api.host)], ports: [{ protocol: 'TCP', port: api.port }] }]),
    ...(dns === undefined ? [] : [{ to: [at(dns)], ports: dnsAt53 }]),
  ]
}

function at(address: string): NetworkPolicyPeer {
  return { ipBlock: { cidr: wholeRange(address) } }
}

function policy(deployment: TenantDeployment, name: string, spec: object): Manifest {
  const metadata = { name, namespace: deployment.namespace, labels: objectLabels(deployment) }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }
}
