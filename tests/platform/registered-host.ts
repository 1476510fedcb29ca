import type { TestServer } from '../support/clusters/api-server.ts'
import { clientOf, group, management, type TestPlatform } from './platform.ts'

export const secretsPath = '/api/v1/namespaces/default/secrets'

export function encoded(value: string): string {
  return Buffer.from(value).toString('base64')
}

/** A Cluster whose kubeconfig is in the Secret that `registerHost` creates. */
export function clusterNamed(name: string) {
  return {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName: 'host-kubeconfig', secretNamespace: 'default' } },
  }
}

/** The platform gets to know the host, as the Cluster `host`. Returns a client of the host. */
export async function registerHost(platform: TestPlatform, host: TestServer): Promise<ReturnType<typeof clientOf>> {
  const data = { config: encoded(host.kubeconfig()) }
  await platform.must('POST', secretsPath, { metadata: { name: 'host-kubeconfig' }, data })
  await platform.must('POST', `${management}/clusters`, clusterNamed('host'))
  return clientOf(host.url, host.authority)
}
