import type { Manifest } from '../../../host/manifest.ts'
import { metricsKeySecret, platformSecrets, serviceNames } from '../names.ts'
import type { PlatformSettings } from '../settings.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'

export const monitorVersion = 'monitoring.coreos.com/v1'

/** Prometheus reads the metrics with a separate access key. */
export function serviceMonitor({ namespace, tlsSecret, address }: PlatformSettings): Manifest {
  const [, inside = ''] = serviceNames(namespace)
  const ca = tlsSecret === undefined ? { ca: { secret: { name: platformSecrets.authority, key: 'tls.crt' } } } : {}
  return {
    apiVersion: monitorVersion,
    kind: 'ServiceMonitor',
    metadata: platformMetadata(namespace),
    spec: {
      selector: { matchLabels: platformPodLabels },
      endpoints: [
        {
          port: 'https',
          scheme: 'https',
          path: '/metrics',
          authorization: { credentials: { name: metricsKeySecret.name, key: metricsKeySecret.entry } },
          tlsConfig: { ...ca, serverName: tlsSecret === undefined ? inside : (address ?? inside) },
        },
      ],
    },
  }
}
