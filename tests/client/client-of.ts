import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { createKubeClient, type KubeClientOptions } from '../../src/client/kube-client.ts'
import { parseKubeconfig } from '../../src/client/kubeconfig/parse.ts'
import { resolveContext } from '../../src/client/kubeconfig/resolve.ts'
import type { LocalServer } from '../../src/client/local/contract.ts'
import type { UsedServer } from './servers.ts'

export interface TestClientOptions extends Partial<KubeClientOptions> {
  /** Replaces the port of the kubeconfig: forces the network, even to a server of this process. */
  readonly port?: number
}

export function clientOf(
  cluster: Pick<UsedServer, 'kubeconfig' | 'local'>,
  options: TestClientOptions = {},
): Promise<KubeClient> {
  return clientByKubeconfig(readFileSync(cluster.kubeconfig, 'utf8'), options, cluster.local)
}

export async function clientByKubeconfig(
  text: string,
  options: TestClientOptions = {},
  local?: LocalServer,
): Promise<KubeClient> {
  const config = parseKubeconfig(text, '/test/kubeconfig')
  const access = await resolveContext(config, { clock: options.clock ?? systemClock, env: process.env })
  const url = new URL(access.url)
  if (options.port !== undefined) url.port = String(options.port)
  return createKubeClient({
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    userAgent: 'tenant-test/1',
    env: {},
    ...options,
    access: { ...access, url, ...(local && options.port === undefined && { local }) },
  })
}

export const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  hasStatus: false,
}

export const services: ResourceType = { ...configMaps, resource: 'services', kind: 'Service', hasStatus: true }

export const pods: ResourceType = { ...configMaps, resource: 'pods', kind: 'Pod', hasStatus: true }

export const serviceAccounts: ResourceType = { ...configMaps, resource: 'serviceaccounts', kind: 'ServiceAccount' }

export const namespaces: ResourceType = {
  ...configMaps,
  resource: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  hasStatus: true,
}

export function configMap(namespace: string, name: string, data: Readonly<Record<string, string>> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data }
}

/** A separate namespace for a test. */
export async function newNamespace(client: KubeClient, name: string): Promise<string> {
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  return name
}
