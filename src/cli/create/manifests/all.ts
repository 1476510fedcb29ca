import type { Manifest } from '../../host/manifest.ts'
import { accessManifests } from './access.ts'
import type { TenantDeployment } from './contract.ts'
import { isolationManifests } from './isolation/isolation.ts'
import { objectLabels, selectorLabels } from './labels.ts'
import { objectNames } from './names.ts'
import { statefulSetManifest } from './stateful-set.ts'

/** All objects of a tenant on its host, in the order in which they must exist. */
export function tenantManifests(deployment: TenantDeployment): readonly Manifest[] {
  return [
    ...accessManifests(deployment),
    configSecret(deployment),
    serviceManifest(deployment),
    ...isolationManifests(deployment),
    ...(deployment.config.controlPlane.replicas > 1 ? [disruptionBudgetManifest(deployment)] : []),
    statefulSetManifest(deployment),
  ]
}

export function namespaceManifest(deployment: Pick<TenantDeployment, 'name' | 'namespace'>): Manifest {
  const { namespace } = deployment
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: objectLabels(deployment) } }
}

/** A Secret, because a tenant.yaml may contain confidential values. */
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

/**
 * One replica at a time may be moved. A single one has no budget, which would only prevent its node from being drained.
 */
function disruptionBudgetManifest(deployment: TenantDeployment): Manifest {
  const { name, namespace, resources } = deployment
  return {
    apiVersion: resources.disruptionVersion,
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels: objectLabels(deployment) },
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorLabels(deployment) } },
  }
}

/** The ports at which Pods of the tenant resolve names. */
const dnsPorts = [
  { name: 'dns', port: 53, protocol: 'UDP', targetPort: 'dns' },
  { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 'dns-tcp' },
]

/** Makes the tenant reachable and identifies it. */
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
      // A single Pod is reachable as soon as it listens, rather than when its readiness has propagated. Nor does a
      // container that cannot start beside the tenant take its API and DNS away.
      publishNotReadyAddresses: config.controlPlane.replicas === 1,
    },
  }
}
