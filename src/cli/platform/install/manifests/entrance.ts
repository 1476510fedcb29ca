import type { Manifest } from '../../../host/manifest.ts'
import { platformName } from '../names.ts'
import { type Exposure, isEmbedded, type PlatformSettings } from '../settings.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'

const serviceTypes: Readonly<Record<Exposure, string>> = {
  cluster: 'ClusterIP',
  'node-port': 'NodePort',
  'load-balancer': 'LoadBalancer',
  ingress: 'ClusterIP',
}

/** The platform limits strangers by address, so a load balancer must preserve it. */
export function platformService(settings: PlatformSettings): Manifest {
  const { namespace, expose, nodePort } = settings
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: platformMetadata(namespace),
    spec: {
      type: serviceTypes[expose],
      ...(expose === 'load-balancer' && { externalTrafficPolicy: 'Local' }),
      selector: platformPodLabels,
      // A single Pod is reachable as soon as it listens, rather than when its readiness has propagated.
      publishNotReadyAddresses: isEmbedded(settings),
      ports: [
        {
          name: 'https',
          port: 443,
          protocol: 'TCP',
          targetPort: 'https',
          appProtocol: 'https',
          ...(nodePort !== undefined && { nodePort }),
        },
      ],
    },
  }
}

/** Settings for ingress-nginx: the platform speaks TLS, requests may be large, and watches take long. */
const nginxAnnotations = {
  'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
  'nginx.ingress.kubernetes.io/proxy-body-size': '8m',
  'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
  'nginx.ingress.kubernetes.io/proxy-send-timeout': '3600',
}

export function platformIngress(settings: PlatformSettings): Manifest {
  const { namespace, address = '', ingressClass, tlsSecret } = settings
  const annotations = { ...(ingressClass === 'nginx' && nginxAnnotations), ...settings.ingressAnnotations }
  const backend = { service: { name: platformName, port: { name: 'https' } } }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...platformMetadata(namespace), annotations },
    spec: {
      ...(ingressClass !== undefined && { ingressClassName: ingressClass }),
      tls: [{ hosts: [address], ...(tlsSecret !== undefined && { secretName: tlsSecret }) }],
      rules: [{ host: address, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  }
}
