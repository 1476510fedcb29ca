import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { createKubeClient, type KubeClientOptions } from '../../src/client/kube-client.ts'
import { parseKubeconfig } from '../../src/client/kubeconfig/parse.ts'
import { resolveContext } from '../../src/client/kubeconfig/resolve.ts'

/** A client as a kubeconfig says; `url` instead of the address in it. */
export async function clientOf(
  kubeconfig: string,
  options: Partial<KubeClientOptions> & { readonly url?: string } = {},
): Promise<KubeClient> {
  const config = parseKubeconfig(kubeconfig, '/test/kubeconfig')
  const access = await resolveContext(config, { clock: systemClock, env: {} })
  return createKubeClient({
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    userAgent: 'tenant-test/1',
    env: {},
    ...options,
    access: { ...access, ...(options.url === undefined ? {} : { url: new URL(options.url) }) },
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

export function configMap(name: string, data: Readonly<Record<string, string>> = {}, namespace = 'default') {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
}
