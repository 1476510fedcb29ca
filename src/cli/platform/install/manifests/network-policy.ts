import type { Manifest } from '../../../host/manifest.ts'
import type { PlatformSettings } from '../settings.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'
import { platformPort } from './ports.ts'

/**
 * Clients come from anywhere, to one port. The platform calls host clusters, identity providers and etcd, wherever those
 * are, and never what a cloud tells its machines at a link-local address.
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
            { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
            { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] } },
          ],
        },
      ],
    },
  }
}
