import { ApiError } from '../../../api/error.ts'
import { defaultProject } from '../../../api/management/default-project.ts'
import { managementGroup } from '../../../api/management/management-kind.ts'
import type { KubeObject } from '../../../api/object.ts'
import { projectNamespace } from '../../../auth/scope/request.ts'
import type { KubeClient, ResourceType } from '../../../client/contract.ts'
import { existing, servedTypeOf } from '../../host/objects.ts'
import { hostCluster } from '../../local-platforms/host-cluster.ts'
import type { UpHost } from './up-host.ts'

export function virtualClusterInstances(domain: string): ResourceType {
  return {
    group: managementGroup(domain),
    version: 'v1',
    resource: 'virtualclusterinstances',
    kind: 'VirtualClusterInstance',
    namespaced: true,
    hasStatus: true,
  }
}

export const demo = { name: 'demo', hostNamespace: 'tenant-demo' }

/** Where the platform keeps the kubeconfig of the embedded host. */
const platformNamespace = 'kube-system'
const kubeconfigSecret = 'cluster-host'

/** Registers the host as a cluster of the platform, which reaches it if it is embedded. */
export async function ensurePlatformSetup(
  platform: KubeClient,
  apiVersion: string,
  { displayName, kubeconfig, real }: Pick<UpHost, 'displayName' | 'kubeconfig' | 'real'>,
): Promise<void> {
  if (kubeconfig !== undefined) await keep(platform, kubeconfigIn(kubeconfig))
  const config = { secretName: kubeconfigSecret, secretNamespace: platformNamespace }
  // Nothing runs on the node of an embedded host, so members of projects may create virtual clusters there by default.
  const access = [{ users: ['*'], verbs: ['deploy'] }]
  await ensure(platform, {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: hostCluster },
    spec: { displayName, ...(kubeconfig !== undefined && { config }), ...(real === undefined && { access }) },
  })
}

function kubeconfigIn(text: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: kubeconfigSecret, namespace: platformNamespace },
    type: 'Opaque',
    data: { config: Buffer.from(text).toString('base64') },
  }
}

/** The virtual cluster that new users see first. It is not recreated after a user has deleted it. */
export function demoInstance(apiVersion: string): KubeObject {
  return {
    apiVersion,
    kind: 'VirtualClusterInstance',
    metadata: { name: demo.name, namespace: projectNamespace(defaultProject) },
    spec: {
      displayName: 'Demo',
      external: false,
      clusterRef: { cluster: hostCluster, namespace: demo.hostNamespace, virtualCluster: demo.name },
      config: demoConfig,
    },
  }
}

const demoConfig = `# Everything has a default: tenant config show tells them.
sync:
  toHost:
    endpoints:
      enabled: true
      # Runs on the way to the host, and back again. Try others with: tenant patch test
      patches:
        - path: metadata.annotations["example.com/region"]
          expression: '"host-" + value'
          reverseExpression: value.replace(/^host-/, "")
`

/** A Service without a selector and its Endpoints: what a tenant writes, and what appears on the host. */
const demoObjects: readonly KubeObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'hello', namespace: 'default' },
    spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'hello', namespace: 'default', annotations: { 'example.com/region': 'eu-1' } },
    subsets: [{ addresses: [{ ip: '192.0.2.10' }, { ip: '192.0.2.11' }], ports: [{ name: 'http', port: 8080 }] }],
  },
]

export async function createDemoObjects(virtual: KubeClient): Promise<void> {
  for (const object of demoObjects) await ensure(virtual, object)
}

/** Creates the object if it does not exist; an existing one stays as it is. */
export async function ensure(client: KubeClient, object: KubeObject): Promise<void> {
  if ((await existing(client, object)) !== undefined) return
  try {
    await client.create(await servedTypeOf(client, object), object)
  } catch (error) {
    if (!(error instanceof ApiError && error.status.reason === 'AlreadyExists')) throw error
  }
}

async function keep(client: KubeClient, object: KubeObject): Promise<void> {
  await client.apply(await servedTypeOf(client, object), object, { fieldManager: 'tenant-up', force: true })
}
