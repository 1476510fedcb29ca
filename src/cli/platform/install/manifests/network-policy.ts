import { metadataRanges } from '../../../../sync/policy/addresses.ts'
import { wholeRange } from '../../../create/manifests/isolation/outside.ts'
import type { Manifest } from '../../../host/manifest.ts'
import type { PlatformSettings } from '../settings.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'
import { platformPort } from './ports.ts'

const closed = metadataRanges.map(wholeRange)

/**
 * Clients connect from anywhere, to one port. The platform calls host clusters, identity providers and etcd at any
 * address, except the metadata services of clouds. DNS may be at any address: some clusters use a link-local one.
 */
export function platformNetworkPolicy({ namespace }: PlatformSettings): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: platformMetadata(namespace),
    spec: {
      podSelector: { matchLabels: platformPodLabels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ port: platformPort, protocol: 'TCP' }] }],
      egress: [
        { ports: ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol })) },
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: closed.filter((range) => !range.includes(':')) } },
            { ipBlock: { cidr: '::/0', except: closed.filter((range) => range.includes(':')) } },
          ],
        },
      ],
    },
  }
}
