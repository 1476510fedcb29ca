import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type ClusterAccess, KubeconfigError } from './contract.ts'
import { readIfThere } from './read-file.ts'
import { createTokenFile } from './token-file.ts'

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface InClusterOptions {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory?: string
}

/** Access to the cluster that this process runs in, as the service account of its Pod. */
export async function inClusterAccess(options: InClusterOptions): Promise<ClusterAccess> {
  const { clock, env, directory = serviceAccountDirectory } = options
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) throw new KubeconfigError('KUBERNETES_SERVICE_HOST is not set: this process runs in no cluster')
  const read = async (name: string): Promise<string> => {
    const text = await readIfThere(join(directory, name))
    if (text === undefined) throw new KubeconfigError(`${join(directory, name)} is missing`)
    return text
  }
  const token = createTokenFile(() => read('token'), clock)
  await token.headers()
  const namespace = (await readIfThere(join(directory, 'namespace')))?.trim() || 'default'
  return {
    url: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    trust: { mode: 'authority', authority: await read('ca.crt') },
    namespace,
    credentials: { ...token, clientCertificate: async () => undefined },
  }
}
