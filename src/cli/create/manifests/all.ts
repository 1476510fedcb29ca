import type { Manifest } from '../../host/manifest.ts'
import { accessManifests } from './access.ts'
import type { TenantDeployment } from './contract.ts'
import { hasControllerManager } from './controller-manager.ts'
import { isolationManifests } from './isolation/isolation.ts'
import { objectLabels, selectorLabels } from './labels.ts'
import { objectNames } from './names.ts'
import { statefulSetManifest } from './stateful-set.ts'

/** Everything that a tenant consists of on its host, in the order in which it has to be there. */
export function tenantManifests(deployment: TenantDeployment): readonly Manifest[] {
  return [
    ...accessManifests(deployment),
    configSecret(deployment),
    serviceManifest(deployment),
    ...isolationManifests(deployment),
    statefulSetManifest(deployment),
  ]
}

export function namespaceManifest(deployment: Pick<TenantDeployment, 'name' | 'namespace'>): Manifest {
  const { namespace } = deployment
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: objectLabels(deployment) } }
}

/** A Secret, because a tenant.yaml may hold confidential values. */
function configSecret(deployment: TenantDeployment): Manifest {
  const { name, namespace, configText } = deployment
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: objectNames.config(name), namespace, labels: objectLabels(deployment) },
    type: 'Opaque',
    data: { 'tenant.yaml': Buffer.from(configText).toString('base64') },
  }
}

/** By which Pods of the tenant look up names. */
const dnsPorts = [
  { name: 'dns', port: 53, protocol: 'UDP', targetPort: 'dns' },
  { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 'dns-tcp' },
]

/** What the tenant is reached by, and known by. */
export function serviceManifest(deployment: Pick<TenantDeployment, 'name' | 'namespace' | 'config'>): Manifest {
  const { name, namespace, config } = deployment
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: objectLabels(deployment) },
    spec: {
      type: 'ClusterIP',
      selector: selectorLabels(deployment),
      ports: [
        { name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' },
        ...(config.sync.toHost.pods.enabled ? dnsPorts : []),
      ],
      // A Pod is ready when all its containers are: one that cannot start beside the tenant must not take its API and DNS away. And
      // where there is no other Pod to turn to, it is reached as soon as it listens, not when its readiness has gone around.
      publishNotReadyAddresses: hasControllerManager(config) || config.controlPlane.replicas === 1,
    },
  }
}
