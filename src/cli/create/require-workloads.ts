import { join } from 'node:path'
import type { KubeClient } from '../../client/contract.ts'
import { localPlatforms } from '../local-platforms/find.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A host of `tenant up` runs no workloads: there the platform is told, by somebody who is logged in to it. */
export async function requireWorkloads(host: KubeClient, terminal: Terminal): Promise<void> {
  if ((await host.served.findKind('apps/v1', 'StatefulSet')) !== undefined) return
  const [local] = await localPlatforms(terminal)
  if (local === undefined) {
    throw new Error(`${host.origin} serves no StatefulSet of apps/v1; is it a Kubernetes cluster that runs workloads?`)
  }
  const { url, directory } = local
  const [authority, key] = [join(directory, 'pki', 'ca.crt'), join(directory, 'admin.key')]
  throw new Error(
    `${host.origin} runs no workloads, and you are not logged in to the platform of tenant up, which does. Log in first:\n` +
      `  tenant platform login ${url} --ca ${authority} --access-key-stdin < ${key}\n` +
      'For another cluster, name it with --kubeconfig or --context.',
  )
}
