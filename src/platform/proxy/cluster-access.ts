import type { KubeObject } from '../../api/object.ts'
import type { Cluster } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import { type ClusterAccess, KubeconfigError } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { resolveContext } from '../../client/kubeconfig/resolve.ts'

/** The namespace of Secrets for Clusters that name none. */
const platformNamespace = 'tenant-platform'

export interface KubeconfigSecretEntry {
  readonly namespace: string
  readonly name: string
  readonly entry: string
}

/** The Secret entry with the kubeconfig of a Cluster. */
export function kubeconfigPlace(object: KubeObject): KubeconfigSecretEntry {
  const { secretNamespace, secretName, key } = (object as Cluster).spec?.config ?? {}
  return { namespace: secretNamespace || platformNamespace, name: secretName ?? '', entry: key || 'config' }
}

/** Fields with which the writer of a Secret could make the platform run programs or read files of its own machine. */
const refusedFields = {
  users: ['exec', 'tokenFile', 'client-certificate', 'client-key'],
  clusters: ['certificate-authority'],
} as const

/** One cluster and one user with their certificates take a tenth of this. */
const maxBytes = 64 * 1024

/** A kubeconfig in a Secret must be self-contained. */
export function clusterAccessOf(text: string, place: string, clock: Clock, insecure: boolean): Promise<ClusterAccess> {
  if (Buffer.byteLength(text) > maxBytes)
    throw new KubeconfigError(
      `${place}: it holds a kubeconfig of more than ${maxBytes} bytes; keep only the context that is used`,
    )
  const config = parseKubeconfig(text, place)
  for (const part of ['users', 'clusters'] as const) {
    for (const { fields } of config[part].values()) {
      const refused = refusedFields[part].find((field) => fields[field] !== undefined)
      if (refused !== undefined) throw new KubeconfigError(`${place}: ${part}: ${refused} is not allowed in a Secret`)
    }
  }
  const access = resolveContext(config, { clock, env: {} })
  return insecure ? access.then((found) => ({ ...found, trust: { mode: 'unverified' } })) : access
}
